"""The page My account: password, signed-in browsers and tokens of one's own."""
