import type { Chain } from '@bascule/chain';
import type { TokenIdentifier } from '@bascule/contracts';
import type { OrderJson } from '@bascule/solidity';
import type { Address, Hex, Log } from 'viem';

/** Tokens are ERC-20, amounts in their smallest units. */
export interface BridgeRoute {
  /** Names of chains. */
  origin: string;
  destination: string;
  inputToken: TokenIdentifier;
  outputToken: TokenIdentifier;
}

export interface BridgeRequest {
  origin: Chain;
  destination: Chain;
  inputToken: Address;
  outputToken: Address;
  amount: bigint;
}

export interface BridgeQuote {
  bridge: string;
  /** The contract on the origin chain that a declaration names. */
  adapter: Address;
  /** Expected to arrive, in the output token. */
  delivered: bigint;
  /** From the block of the origin's transaction until the delivery is final. */
  latencySeconds: number;
}

export interface BridgeLimits {
  min?: bigint;
  max?: bigint;
}

/** The bridge does not carry this: its amount, or the way. Anything else thrown means that it could not be asked. */
export class BridgeRefusedError extends Error {
  override readonly name = 'BridgeRefusedError';

  constructor(
    readonly bridge: string,
    message: string,
    /** In the input token; absent where no other amount would help. */
    readonly limits?: BridgeLimits,
  ) {
    super(`${bridge}: ${message}`);
  }
}

/**
 * One transfer as the origin's transaction made it; plain data but for its integers and its date. `order` and
 * `fillDeadline` are the intent escrow's; a bridge without them (CCTP) would make them optional.
 */
export interface BridgeTransfer {
  bridge: string;
  /** The bridge's own name of it. */
  id: Hex;
  /** What the escrow and an owner's refund need to know of it again; opaque to everybody else. */
  order: OrderJson;
  originChain: string;
  destinationChain: string;
  inputToken: TokenIdentifier;
  outputToken: TokenIdentifier;
  /** What was taken from the wallet. */
  amount: bigint;
  /** The last second, of the destination chain, in which it can be delivered; after it the money is refundable. */
  fillDeadline: Date;
  /** Logs of the chains are searched from here. */
  originFromBlock: bigint;
  destinationFromBlock: bigint;
}

interface InBlock {
  transactionHash: Hex;
  blockNumber: bigint;
  blockTimestamp: Date;
}

export type BridgeTransferStatus =
  /** The origin chain knows nothing of it: its transaction is not in a final block, or was undone. */
  | { kind: 'unknown' }
  /** It may still be delivered. */
  | { kind: 'open' }
  /** `amount` is what the wallet received on the destination chain. */
  | ({ kind: 'filled'; amount: bigint } & InBlock)
  /** It can never be delivered any more; the money is refundable, now or soon. Never said of a bridge that cannot refund. */
  | { kind: 'unfilled' }
  /** The bridge has given the money away and delivered nothing, and never will: nothing is refundable. */
  | { kind: 'lost' }
  /** The money went back on the origin chain, as the owner's text said: `amount` to the recipient, `fee` to its receiver. */
  | ({
      kind: 'refunded';
      recipient: Address;
      amount: bigint;
      feeReceiver: Address;
      fee: bigint;
    } & InBlock);

/**
 * Carries a wallet's tokens to the wallet's own address on another chain, by a contract that the declaration names.
 * Delivery is the bridge's own work: nobody is asked to bring a message to the destination chain.
 */
export interface Bridge {
  readonly name: string;
  /** Its part of an origin leg's transaction: the wallet's allowance and the adapter's `bridge`, measured, rounded up. */
  readonly gas: bigint;
  /** Undefined where the bridge has no contract. */
  adapterOn(chain: Chain): Address | undefined;
  /** What it carries now. */
  routes(options?: { signal?: AbortSignal }): Promise<readonly BridgeRoute[]>;
  /** @throws BridgeRefusedError when it does not carry this. */
  quote(request: BridgeRequest, options?: { signal?: AbortSignal }): Promise<BridgeQuote>;
  /** The wallet's transfer among the logs of a receipt; null when there is none. */
  opened(
    chains: { origin: Chain; destination: Chain },
    logs: readonly Log[],
    wallet: Address,
  ): Promise<BridgeTransfer | null>;
  /** As of the newest final block of each chain. */
  status(
    transfer: BridgeTransfer,
    chains: { origin: Chain; destination: Chain },
  ): Promise<BridgeTransferStatus>;
}
