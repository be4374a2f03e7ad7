"""Ask: conversations, answers as they come, and the evidence beside them."""
