"""Questions with their reading marked: the data of the trained reader, and what it is measured on."""
