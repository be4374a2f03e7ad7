"""The grammar of questions: words become typed pieces, pieces a tree, and the tree a plan."""
