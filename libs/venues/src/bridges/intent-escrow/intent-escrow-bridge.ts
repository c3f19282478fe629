import { blockAtOrBefore } from '@bascule/chain';
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
} from '../bridge.js';
import type { BridgeConfig } from '../bridge-config.js';
import { FillWindows } from './fill-windows.js';
import { openedOrders } from './opened-orders.js';
import { escrowOn, transferStatus } from './transfer-status.js';
import { SolverClient } from './solver-client.js';

/** A reorganisation may put what we look for into earlier blocks. */
const REORGANISATION_MARGIN = 100n;
/** By how much the destination's clock may be behind the origin's, generously: what is searched begins with the newest. */
const CLOCK_MARGIN_SECONDS = 3_600n;
/** A fill may be late by this: what a solver says of its time is an estimate, and clocks differ. */
const FILL_MARGIN_SECONDS = 15;

/** Our own escrow: a solver delivers on the other chain, and attesters tell of it. */
export class IntentEscrowBridge implements Bridge {
  readonly name: string;
  readonly gas = 100_000n;
  private readonly solver: SolverClient;
  private readonly fillWindows = new FillWindows();

  constructor(
    config: BridgeConfig,
    private readonly chains: Chains,
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
      throw new BridgeRefusedError(this.name, `no way from ${origin.name} to ${destination.name}`);
    }
    const { outputAmount, fillSeconds } = await this.solver.quote(
      {
        originChainId: origin.chainId,
        destinationChainId: destination.chainId,
        inputToken,
        outputToken,
        amount,
      },
      options.signal,
    );
    const fillWindow = await this.fillWindows.of(origin);
    if (!(fillSeconds + FILL_MARGIN_SECONDS <= Number(fillWindow))) {
      const message = `filled within ${fillSeconds} s, where the escrow leaves ${fillWindow} s`;
      throw new BridgeRefusedError(this.name, message);
    }
    const { confirmations, blockTimeMs } = destination.definition;
    return {
      bridge: this.name,
      adapter: escrowOn(origin),
      delivered: outputAmount,
      latencySeconds: fillSeconds + Math.ceil((confirmations * blockTimeMs) / 1000),
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
    const openedAt = order.fillDeadline - (await this.fillWindows.of(origin));
    return {
      bridge: this.name,
      id,
      details: serializeOrder(order),
      originChain: origin.name,
      destinationChain: destination.name,
      inputToken: tokenIdentifier(origin.name, order.inputToken),
      outputToken: tokenIdentifier(destination.name, order.outputToken),
      amount: order.inputAmount,
      fillDeadline: new Date(Number(order.fillDeadline) * 1000),
      originFromBlock: before(blockNumber ?? 0n),
      destinationFromBlock: before(await blockThen(destination, openedAt)),
    };
  }

  status(
    transfer: BridgeTransfer,
    chains: { origin: Chain; destination: Chain },
  ): Promise<BridgeTransferStatus> {
    return transferStatus(transfer, chains);
  }

  /** An order's id covers the escrow's address, which is therefore the same on both chains. */
  private isBetween(origin: Chain, destination: Chain): boolean {
    const [from, to] = [this.adapterOn(origin), this.adapterOn(destination)];
    return origin !== destination && !!from && !!to && isAddressEqual(from, to);
  }
}

/** Whenever it is asked: a fill may be old by the time that an order is recorded. */
async function blockThen({ client, definition }: Chain, openedAt: bigint): Promise<bigint> {
  return blockAtOrBefore(
    openedAt - CLOCK_MARGIN_SECONDS,
    await client.getBlock({ blockTag: 'latest' }),
    definition.blockTimeMs,
    (blockNumber) => client.getBlock({ blockNumber }),
  );
}

const before = (block: bigint): bigint =>
  block > REORGANISATION_MARGIN ? block - REORGANISATION_MARGIN : 0n;
