import type { Chain } from '@bascule/chain';
import type { BridgeTransfer, BridgeTransferStatus, TokenIdentifier } from '@bascule/contracts';
import type { Address, Log } from 'viem';

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

export type { BridgeTransfer, BridgeTransferStatus };

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
