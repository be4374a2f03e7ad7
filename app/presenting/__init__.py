"""Results in words and layouts; nothing here knows Streamlit."""
