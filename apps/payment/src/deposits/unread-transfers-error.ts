/** A node does not tell the transfers to a wallet in a block, even if it is asked for these only. */
export class UnreadTransfersError extends Error {
  constructor(chain: string, block: bigint, options?: ErrorOptions) {
    super(`node refused the wallet's logs as too large: block ${block} of ${chain}`, options);
    this.name = 'UnreadTransfersError';
  }
}
