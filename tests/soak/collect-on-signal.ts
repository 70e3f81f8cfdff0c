// Loaded into the watched processes: what remains in use after this signal is what somebody holds.
process.on('SIGUSR2', () => globalThis.gc?.())
