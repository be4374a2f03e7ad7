"""Questions that go on from earlier ones: typed edits of the last plan, over the documents in hand."""
