import type { WithdrawAccount } from '../http/issues.js';
import type { TokenIdentifier } from '../http/wire.js';

type Hex = `0x${string}`;

/** One transfer as the origin's transaction opened it; tokens are ERC-20, amounts in their smallest units. */
export interface BridgeTransfer {
  /** The bridge's configured name. */
  bridge: string;
  /** The bridge's identifier of the transfer. */
  id: Hex;
  /** Account that an undelivered transfer is withdrawn from; only the escrow has one. */
  withdrawAccount: WithdrawAccount;
  /** JSON that only the bridge reads; other parts store it and pass it back. */
  details: unknown;
  originChain: string;
  destinationChain: string;
  inputToken: TokenIdentifier;
  outputToken: TokenIdentifier;
  /** Taken from the wallet. */
  amount: bigint;
  /** Last second for a delivery, by the destination chain's clock. Only the escrow has one. */
  fillDeadline: Date;
  /** First blocks for searches of the chains' logs. */
  originFromBlock: bigint;
  destinationFromBlock: bigint;
}

/**
 * Status of a transfer in final blocks. `OPEN`: can still be delivered. `FILLED`: delivered on the destination chain.
 * `UNFILLED`: can never be delivered, and is refundable, now or soon. `REFUNDED`: paid back on the origin chain.
 * `LOST`: released by the bridge without a delivery; nothing is refundable.
 */
export type TransferStatus = 'OPEN' | 'FILLED' | 'UNFILLED' | 'REFUNDED' | 'LOST';

interface InBlock {
  transactionHash: Hex;
  blockNumber: bigint;
  blockTimestamp: Date;
}

/** A bridge's answer about a transfer, as of the newest final block of each chain. */
export type BridgeTransferStatus =
  /** Not on the origin chain: its transaction is not in a final block, or was undone by a reorg. */
  | { kind: 'unknown' }
  | { kind: 'open' }
  /** `amount` is what the wallet received on the destination chain. */
  | ({ kind: 'filled'; amount: bigint } & InBlock)
  /** Never answered by a bridge that cannot refund. */
  | { kind: 'unfilled' }
  | { kind: 'lost' }
  /** Paid back by the owner's instruction: `amount` to the recipient, `fee` to its receiver. Only the escrow refunds. */
  | ({
      kind: 'refunded';
      recipient: Hex;
      amount: bigint;
      feeReceiver: Hex;
      fee: bigint;
    } & InBlock);
