"""Running summaries of long threads, by a model or by rules."""

from memory_middleware.remember.summarizing.fold import fold_thread
from memory_middleware.remember.summarizing.model import ModelSummarizer
from memory_middleware.remember.summarizing.salient import SalientSummarizer, Summarizer

__all__ = ["ModelSummarizer", "SalientSummarizer", "Summarizer", "fold_thread"]
