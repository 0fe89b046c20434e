"""The tutor's one endpoint (document C), light enough for AWS Lambda."""
