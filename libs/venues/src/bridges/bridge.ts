import type { Chain } from '@bascule/chain';
import type { BridgeTransfer, BridgeTransferStatus, TokenIdentifier } from '@bascule/contracts';
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
  /** Adapter contract on the origin chain, as named by a declaration. */
  adapter: Address;
  /** Expected delivery, in the output token. */
  delivered: bigint;
  /** Seconds from the block of the origin's transaction until the delivery is final. */
  latencySeconds: number;
  /** Limits in the input token; absent when unknown. */
  limits?: BridgeLimits;
}

export interface BridgeLimits {
  min?: bigint;
  max?: bigint;
}

/** The bridge refuses this amount or route. Any other error means that the bridge is unavailable. */
export class BridgeRefusedError extends Error {
  override readonly name = 'BridgeRefusedError';

  constructor(
    readonly bridge: string,
    message: string,
    /** Limits in the input token; absent when no other amount would be accepted. */
    readonly limits?: BridgeLimits,
  ) {
    super(`${bridge}: ${message}`);
  }
}

export type { BridgeTransfer, BridgeTransferStatus };

/** Transaction that refunds a transfer to its own wallet, or the reason why it is impossible now. */
export type WalletRefund =
  { kind: 'possible'; call: { to: Address; data: Hex } } | { kind: 'impossible'; reason: string };

/**
 * Port of every bridge. Transfers a wallet's tokens to the wallet's own address on another chain, through a contract that
 * the declaration names. The bridge delivers by itself: no caller relays a message to the destination chain.
 */
export interface Bridge {
  readonly name: string;
  /** Gas of the allowance and the adapter's `bridge` in an origin leg's transaction; measured, rounded up. */
  readonly gas: bigint;
  /** Undefined where the bridge has no contract. */
  adapterOn(chain: Chain): Address | undefined;
  /** Lists the routes that are available now. */
  routes(options?: { signal?: AbortSignal }): Promise<readonly BridgeRoute[]>;
  /** @throws BridgeRefusedError for an unsupported route or amount */
  quote(request: BridgeRequest, options?: { signal?: AbortSignal }): Promise<BridgeQuote>;
  /** Finds the wallet's transfer in the logs of a receipt; null when they have none. */
  opened(
    chains: { origin: Chain; destination: Chain },
    logs: readonly Log[],
    wallet: Address,
  ): Promise<BridgeTransfer | null>;
  /** Reads the status from the newest final block of each chain. */
  status(
    transfer: BridgeTransfer,
    chains: { origin: Chain; destination: Chain },
  ): Promise<BridgeTransferStatus>;
  /** Gas of a refund to the wallet, with all that it needs; measured, rounded up. Only the escrow refunds. */
  readonly walletRefundGas: bigint;
  /** Decides by the newest block whether anyone may refund the transfer to its wallet. Only the escrow refunds. */
  walletRefund(
    transfer: BridgeTransfer,
    origin: Chain,
    options?: { signal?: AbortSignal },
  ): Promise<WalletRefund>;
}
