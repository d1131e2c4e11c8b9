"""Results of finished games for elsewhere: tables of spreadsheets, and the app BG Stats."""
