"""The findings of `rigscope check` as text, JSON, SARIF and JUnit."""
