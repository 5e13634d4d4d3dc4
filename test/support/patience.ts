/** How many times as long a request waits for its turn in tests: a busy machine makes wait what a quiet one does at once. */
export const PATIENCE = 30
