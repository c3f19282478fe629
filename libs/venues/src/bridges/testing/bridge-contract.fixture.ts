import type { Chain } from '@bascule/chain';
import { tokenIdentifier } from '@bascule/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Address, Hex, Log } from 'viem';
import type { BridgeAdapterName } from '../bridge-config.js';
import type { Bridge, BridgeTransfer } from '../bridge.js';

/** One bridge between two chains, with control over its deliveries and over final blocks. */
export interface BridgeStage {
  bridge: Bridge;
  origin: Chain;
  destination: Chain;
  wallet: Address;
  /** Token with the same address on both chains. */
  token: Address;
  amount: bigint;
  /** Contract that is no part of the bridge. */
  otherContract: Address;
  /** Opens a transfer of `amount` from the wallet and returns the receipt's logs. */
  open(): Promise<readonly Log[]>;
  /** Delivers a transfer and returns the transaction's hash. */
  deliver(transfer: BridgeTransfer, amount: bigint): Promise<Hex>;
  finalizeOrigin(): Promise<void>;
  finalizeDestination(): Promise<void>;
  stop(): Promise<void>;
}

/** Contract of every bridge adapter. */
export function bridgeContract(
  adapter: BridgeAdapterName,
  start: () => Promise<BridgeStage>,
): void {
  describe(`the bridge adapter ${adapter}`, () => {
    let stage: BridgeStage;
    beforeAll(async () => {
      stage = await start();
    });
    afterAll(() => stage.stop());

    const ends = () => ({ origin: stage.origin, destination: stage.destination });
    const opened = (logs: readonly Log[]) => stage.bridge.opened(ends(), logs, stage.wallet);
    const status = (transfer: BridgeTransfer) => stage.bridge.status(transfer, ends());
    async function open(): Promise<BridgeTransfer> {
      const transfer = await opened(await stage.open());
      if (!transfer) throw new Error('transfer not found in its receipt');
      return transfer;
    }

    it('quotes under its own name and adapter contract', async () => {
      const { bridge, token, amount, origin } = stage;
      const quote = await bridge.quote({
        ...ends(),
        inputToken: token,
        outputToken: token,
        amount,
      });
      expect(quote).toMatchObject({ bridge: bridge.name, adapter: bridge.adapterOn(origin) });
      expect(quote.delivered).toBeGreaterThan(0n);
      expect(quote.delivered).toBeLessThanOrEqual(amount);
      expect(quote.latencySeconds).toBeGreaterThan(0);
    });

    it('finds a transfer in the receipt of its transaction', async () => {
      const { bridge, origin, destination, token, amount } = stage;
      expect(await open()).toMatchObject({
        bridge: bridge.name,
        withdrawAccount: expect.stringMatching(/^(?:INTENT|RDW)$/),
        originChain: origin.name,
        destinationChain: destination.name,
        inputToken: tokenIdentifier(origin.name, token),
        outputToken: tokenIdentifier(destination.name, token),
        amount,
        fillDeadline: expect.any(Date),
        originFromBlock: expect.any(BigInt),
        destinationFromBlock: expect.any(BigInt),
      });
    });

    it('ignores transfers of other wallets and logs of other contracts', async () => {
      const logs = await stage.open();
      expect(await stage.bridge.opened(ends(), logs, stage.otherContract)).toBeNull();
      const foreign = logs.map((log) => ({ ...log, address: stage.otherContract }));
      expect(await opened(foreign)).toBeNull();
    });

    it('reports a transfer as unknown, open and filled, each from a final block', async () => {
      const transfer = await open();
      expect(await status(transfer)).toEqual({ kind: 'unknown' });
      await stage.finalizeOrigin();
      expect(await status(transfer)).toEqual({ kind: 'open' });
      const delivered = stage.amount - 2n;
      const transactionHash = await stage.deliver(transfer, delivered);
      expect(await status(transfer)).toEqual({ kind: 'open' });
      await stage.finalizeDestination();
      expect(await status(transfer)).toEqual({
        kind: 'filled',
        amount: delivered,
        transactionHash,
        blockNumber: expect.any(BigInt),
        blockTimestamp: expect.any(Date),
      });
    });
  });
}
