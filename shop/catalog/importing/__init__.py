"""Products from files: reading.py yields records, a format maps each to one neutral Row (rows.py),
writing.py brings the catalogue to what the rows say, report.py counts and notes. run.py ties them."""
