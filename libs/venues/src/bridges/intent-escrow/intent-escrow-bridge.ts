import type { Chain, Chains } from '@bascule/chain';
import { tokenIdentifier } from '@bascule/contracts';
import { serializeOrder } from '@bascule/solidity';
import { isAddressEqual } from 'viem';
import type { Address, Log } from 'viem';
import { BridgeRefusedError } from '../bridge.js';
import type {
  Bridge,
  BridgeQuote,
  BridgeRequest,
  BridgeRoute,
  BridgeTransfer,
  BridgeTransferStatus,
  WalletRefund,
} from '../bridge.js';
import type { BridgeConfig } from '../bridge-config.js';
import { blockBefore } from './block-before.js';
import { FillWindows } from './fill-windows.js';
import { openedOrders } from './opened-orders.js';
import { escrowOn, transferStatus } from './transfer-status.js';
import { SolverClient } from './solver-client.js';
import { walletRefund } from './wallet-refund.js';

/** Blocks searched in addition, since a reorg may move a log to an earlier block. */
const REORG_MARGIN = 100n;
/** Generous bound of the lag of the destination's clock; the search runs from the newest block backwards. */
const CLOCK_MARGIN_SECONDS = 3_600n;
/** Allowance for late fills: the solver's time is an estimate, and clocks differ. */
const FILL_MARGIN_SECONDS = 15;

/** Bridge by our own escrow: a solver fills on the destination chain and attesters confirm it. */
export class IntentEscrowBridge implements Bridge {
  readonly name: string;
  readonly gas = 100_000n;
  readonly walletRefundGas = 150_000n;
  private readonly solver: SolverClient;
  private readonly fillWindows = new FillWindows();

  constructor(
    config: BridgeConfig,
    private readonly chains: Chains,
    private readonly attesterUrls: readonly string[] = [],
  ) {
    this.name = config.name;
    this.solver = new SolverClient({
      bridge: config.name,
      url: config.solverUrl,
      apiKey: config.apiKey,
    });
  }

  adapterOn({ definition }: Chain): Address | undefined {
    return definition.contracts.intentEscrow;
  }

  async routes(options: { signal?: AbortSignal } = {}): Promise<readonly BridgeRoute[]> {
    const routes = await this.solver.routes(options.signal);
    return routes.flatMap((route): BridgeRoute[] => {
      const origin = this.chains.byChainId(route.originChainId);
      const destination = this.chains.byChainId(route.destinationChainId);
      if (!origin || !destination || !this.isBetween(origin, destination)) return [];
      return [
        {
          origin: origin.name,
          destination: destination.name,
          inputToken: tokenIdentifier(origin.name, route.inputToken),
          outputToken: tokenIdentifier(destination.name, route.outputToken),
        },
      ];
    });
  }

  async quote(
    request: BridgeRequest,
    options: { signal?: AbortSignal } = {},
  ): Promise<BridgeQuote> {
    const { origin, destination, inputToken, outputToken, amount } = request;
    if (!this.isBetween(origin, destination)) {
      throw new BridgeRefusedError(
        this.name,
        `no route from ${origin.name} to ${destination.name}`,
      );
    }
    const { outputAmount, fillSeconds, limits } = await this.solver.quote(
      {
        originChainId: origin.chainId,
        destinationChainId: destination.chainId,
        inputToken,
        outputToken,
        amount,
      },
      options.signal,
    );
    const { seconds, isWitnessed } = await this.fillWindows.get(origin);
    if (!(fillSeconds + FILL_MARGIN_SECONDS <= Number(seconds))) {
      const message = `filled within ${fillSeconds} s, but the fill window is ${seconds} s`;
      if (isWitnessed) throw new BridgeRefusedError(this.name, message);
      throw new Error(`${message}, as the only node of ${origin.name} that answers says`);
    }
    const { confirmations, blockTimeMs } = destination.definition;
    return {
      bridge: this.name,
      adapter: escrowOn(origin),
      delivered: outputAmount,
      latencySeconds: fillSeconds + Math.ceil((confirmations * blockTimeMs) / 1000),
      ...(limits === undefined ? {} : { limits }),
    };
  }

  async opened(
    { origin, destination }: { origin: Chain; destination: Chain },
    logs: readonly Log[],
    wallet: Address,
  ): Promise<BridgeTransfer | null> {
    const opened = openedOrders(logs, escrowOn(origin)).find(({ order }) =>
      isAddressEqual(order.wallet, wallet),
    );
    if (!opened) return null;
    const { id, order, blockNumber } = opened;
    if (order.destinationChainId !== BigInt(destination.chainId)) {
      throw new Error(`order ${id} goes to chain ${order.destinationChainId}`);
    }
    const { seconds: fillWindow } = await this.fillWindows.get(origin);
    const openedAt = order.fillDeadline - fillWindow;
    // A fill may be old when the order is recorded.
    const fillFrom = await blockBefore(destination, openedAt - CLOCK_MARGIN_SECONDS);
    return {
      bridge: this.name,
      id,
      withdrawAccount: 'INTENT',
      details: serializeOrder(order),
      originChain: origin.name,
      destinationChain: destination.name,
      inputToken: tokenIdentifier(origin.name, order.inputToken),
      outputToken: tokenIdentifier(destination.name, order.outputToken),
      amount: order.inputAmount,
      fillDeadline: new Date(Number(order.fillDeadline) * 1000),
      originFromBlock: before(blockNumber ?? 0n),
      destinationFromBlock: before(fillFrom),
    };
  }

  status(
    transfer: BridgeTransfer,
    chains: { origin: Chain; destination: Chain },
  ): Promise<BridgeTransferStatus> {
    return transferStatus(transfer, chains);
  }

  walletRefund(
    transfer: BridgeTransfer,
    origin: Chain,
    options: { signal?: AbortSignal } = {},
  ): Promise<WalletRefund> {
    return walletRefund(transfer, origin, { ...options, attesterUrls: this.attesterUrls });
  }

  /** True when both chains have the same escrow address, which an order's id covers. */
  private isBetween(origin: Chain, destination: Chain): boolean {
    const [from, to] = [this.adapterOn(origin), this.adapterOn(destination)];
    return origin !== destination && !!from && !!to && isAddressEqual(from, to);
  }
}

const before = (block: bigint): bigint => (block > REORG_MARGIN ? block - REORG_MARGIN : 0n);
