/** Too few nodes deny a scanned block, or the reorg is deeper than the kept blocks: nothing is undone. */
export class RewindRefusedError extends Error {
  constructor(chain: string, reason: string) {
    super(`rewind of ${chain} refused: ${reason}`);
    this.name = 'RewindRefusedError';
  }
}
