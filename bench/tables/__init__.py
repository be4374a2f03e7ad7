"""Questions over tables: homes of public tables and of workbooks, and what their answers come to."""
