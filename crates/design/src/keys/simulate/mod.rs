//! Clusters that no desk has: a write stream on servers of limited capacity.
