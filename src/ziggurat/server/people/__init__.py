"""Who somebody is: guests first."""
