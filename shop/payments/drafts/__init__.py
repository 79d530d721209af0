"""From a draft of the desk (orders/drafts/) to its order: the payer's pages behind a link, and the desk's own pages."""
