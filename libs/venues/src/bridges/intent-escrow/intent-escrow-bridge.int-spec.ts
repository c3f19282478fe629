import { Chains, parseChainsConfig } from '@bascule/chain';
import { developmentAccounts } from '@bascule/local-stack';
import {
  attesterOracleAbi,
  developmentAddresses,
  FILL_OUTCOMES,
  fillAttestationTypedData,
  intentEscrowAbi,
  orderedSignatures,
  parseOrder,
  refundText,
} from '@bascule/solidity';
import type { FillAttestation } from '@bascule/solidity';
import { startTestChain } from '@bascule/testing';
import type { TestChain } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createTestClient,
  erc20Abi,
  getAddress,
  http,
  maxUint256,
  publicActions,
  walletActions,
  zeroAddress,
} from 'viem';
import type { Account, Address, TransactionReceipt } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { BridgeTransfer } from '../bridge.js';
import { IntentEscrowBridge } from './intent-escrow-bridge.js';

const { usdc, intentEscrow: escrow, attesterOracle: oracle, weth } = developmentAddresses;
const keys = developmentAccounts.map(({ privateKey }) => privateKeyToAccount(privateKey));
const [user, , , , , , , solver, firstAttester, secondAttester] = keys;
const AMOUNT = 10_000_000n;
const RECIPIENT: Address = '0x00000000000000000000000000000000000000aa';
/** Two blocks on top, so that nothing is final at once. */
const CONFIRMATIONS = 3;

const connect = ({ rpcUrl }: TestChain) =>
  createTestClient({ mode: 'anvil', transport: http(rpcUrl), pollingInterval: 50, cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions);
type Node = ReturnType<typeof connect>;

describe('a transfer through the escrow', () => {
  let servers: TestChain[];
  let chains: Chains;
  let bridge: IntentEscrowBridge;
  let here: Node;
  let there: Node;

  beforeAll(async () => {
    const [alphanet, betanet] = await Promise.all([
      startTestChain({ name: 'alphanet', chainId: 31337 }),
      startTestChain({ name: 'betanet', chainId: 31338 }),
    ]);
    servers = [alphanet, betanet];
    [here, there] = [connect(alphanet), connect(betanet)];
    chains = new Chains(
      parseChainsConfig({
        CHAINS: 'alphanet,betanet',
        RPC_URLS_ALPHANET: alphanet.rpcUrl,
        RPC_URLS_BETANET: betanet.rpcUrl,
        CONFIRMATIONS_ALPHANET: String(CONFIRMATIONS),
        CONFIRMATIONS_BETANET: String(CONFIRMATIONS),
      }),
    );
    const config = { name: 'intent_escrow', adapter: 'intent-escrow' } as const;
    const solverConfig = { solverUrl: 'http://127.0.0.1:1', apiKey: 'key' };
    bridge = new IntentEscrowBridge({ ...config, ...solverConfig }, chains);
    // Blocks come only with transactions or when asked for, so that what is final is up to the test.
    for (const node of [here, there]) {
      await node.setIntervalMining({ interval: 0 });
      await node.setAutomine(true);
    }
    await sent(here, user, usdc, erc20Abi, 'approve', [escrow, maxUint256]);
    await sent(there, solver, usdc, erc20Abi, 'approve', [escrow, maxUint256]);
  });
  afterAll(() => Promise.all(servers.map((server) => server.stop())));

  const account = (one: Account | undefined): Account => {
    if (!one) throw new Error('no such account');
    return one;
  };
  async function sent(
    node: Node,
    from: Account | undefined,
    address: Address,
    abi: readonly unknown[],
    functionName: string,
    args: readonly unknown[],
  ): Promise<TransactionReceipt> {
    const hash = await node.writeContract({
      chain: null,
      account: account(from),
      address,
      abi,
      functionName,
      args,
      gas: 500_000n,
    });
    const receipt = await node.waitForTransactionReceipt({ hash });
    if (receipt.status !== 'success') throw new Error(`${functionName} was reverted`);
    return receipt;
  }

  const ends = () => ({ origin: chains.get('alphanet'), destination: chains.get('betanet') });
  const status = (transfer: BridgeTransfer) => bridge.status(transfer, ends());
  const final = (node: Node) => node.mine({ blocks: CONFIRMATIONS - 1 });

  async function open(): Promise<BridgeTransfer> {
    // Both chains have the same time, as far as blocks can.
    for (const node of [here, there]) await node.mine({ blocks: 1 });
    const request = {
      token: usdc,
      amount: AMOUNT,
      destinationChainId: 31338n,
      destinationToken: usdc,
      minimum: AMOUNT - 5n,
      owner: account(user).address,
    };
    const { logs } = await sent(here, user, escrow, intentEscrowAbi, 'bridge', [request]);
    const transfer = await bridge.opened(ends(), logs, account(user).address);
    if (!transfer) throw new Error('no order was opened');
    return transfer;
  }

  const fill = ({ order }: BridgeTransfer, amount: bigint) =>
    sent(there, solver, escrow, intentEscrowAbi, 'fill', [
      parseOrder(order),
      amount,
      account(solver).address,
    ]);

  async function attest(attestation: FillAttestation): Promise<void> {
    const typedData = fillAttestationTypedData(attestation, { chainId: 31337n, oracle });
    const signatures = await Promise.all(
      [firstAttester, secondAttester].map(async (attester) => {
        if (!attester) throw new Error('no attester');
        return {
          attester: attester.address,
          signature: await attester.signTypedData(typedData),
        };
      }),
    );
    const { orderId, outcome, filler } = attestation;
    await sent(here, user, oracle, attesterOracleAbi, 'attest', [
      orderId,
      outcome,
      filler,
      orderedSignatures(signatures),
    ]);
  }

  it('is found in the receipt of its transaction, for its wallet only', async () => {
    const transfer = await open();
    expect(transfer).toMatchObject({
      bridge: 'intent_escrow',
      originChain: 'alphanet',
      destinationChain: 'betanet',
      inputToken: `alphanet:${usdc.toLowerCase()}`,
      outputToken: `betanet:${usdc.toLowerCase()}`,
      amount: AMOUNT,
      originFromBlock: expect.any(BigInt),
    });
    const order = parseOrder(transfer.order);
    expect(transfer.fillDeadline.getTime()).toBe(Number(order.fillDeadline) * 1000);
    const block = await here.getBlock();
    const { transactions } = block;
    const receipt = await here.getTransactionReceipt({ hash: transactions[0] ?? '0x' });
    expect(await bridge.opened(ends(), receipt.logs, weth)).toBeNull();
    const elsewhere = receipt.logs.map((log) => ({ ...log, address: weth }));
    expect(await bridge.opened(ends(), elsewhere, account(user).address)).toBeNull();
  });

  it('is unknown, open, filled, each once a final block says so', async () => {
    const transfer = await open();
    expect(await status(transfer)).toEqual({ kind: 'unknown' });
    await final(here);
    expect(await status(transfer)).toEqual({ kind: 'open' });

    const receipt = await fill(transfer, AMOUNT - 2n);
    expect(await status(transfer)).toEqual({ kind: 'open' });
    // Paid on the word of attesters who have seen more than we have.
    const filler = account(solver).address;
    await attest({ orderId: transfer.id, outcome: FILL_OUTCOMES.filled, filler });
    await sent(here, user, escrow, intentEscrowAbi, 'release', [parseOrder(transfer.order)]);
    await final(here);
    expect(await status(transfer)).toEqual({ kind: 'open' });

    await final(there);
    const { timestamp } = await there.getBlock({ blockNumber: receipt.blockNumber });
    expect(await status(transfer)).toEqual({
      kind: 'filled',
      amount: AMOUNT - 2n,
      transactionHash: receipt.transactionHash,
      blockNumber: receipt.blockNumber,
      blockTimestamp: new Date(Number(timestamp) * 1000),
    });
  });

  it('is unknown again once its chain has forgotten it', async () => {
    const transfer = await open();
    await final(here);
    expect(await status(transfer)).toEqual({ kind: 'open' });
    await here.request<{ Parameters: [number, never[]]; ReturnType: null }>({
      method: 'anvil_reorg',
      params: [CONFIRMATIONS, []],
    });
    expect(await status(transfer)).toEqual({ kind: 'unknown' });
  });

  // The last one, since it moves the time of both chains.
  it('is unfilled once a final block of the destination is past the deadline, then refunded', async () => {
    const transfer = await open();
    await final(here);
    const order = parseOrder(transfer.order);
    await there.setNextBlockTimestamp({ timestamp: order.fillDeadline });
    await there.mine({ blocks: 1 });
    await there.setNextBlockTimestamp({ timestamp: order.fillDeadline + 1n });
    await there.mine({ blocks: CONFIRMATIONS - 1 });
    // In the very last second of the window it can still be filled.
    expect(await status(transfer)).toEqual({ kind: 'open' });
    await there.mine({ blocks: 1 });
    expect(await status(transfer)).toEqual({ kind: 'unfilled' });

    await here.setNextBlockTimestamp({ timestamp: order.fillDeadline + 1n });
    await attest({ orderId: transfer.id, outcome: FILL_OUTCOMES.unfilled, filler: zeroAddress });
    const instruction = {
      recipient: RECIPIENT,
      feeReceiver: weth,
      fee: 7n,
      validUntil: order.fillDeadline + 600n,
    };
    if (!user) throw new Error('no user');
    const signature = await user.signMessage({ message: refundText(order, instruction, escrow) });
    const receipt = await sent(here, solver, escrow, intentEscrowAbi, 'refund', [
      order,
      instruction,
      signature,
    ]);
    expect(await status(transfer)).toEqual({ kind: 'unfilled' });
    await final(here);
    expect(await status(transfer)).toMatchObject({
      kind: 'refunded',
      recipient: getAddress(RECIPIENT),
      amount: AMOUNT - 7n,
      feeReceiver: weth,
      fee: 7n,
      transactionHash: receipt.transactionHash,
      blockNumber: receipt.blockNumber,
    });
  });
});
