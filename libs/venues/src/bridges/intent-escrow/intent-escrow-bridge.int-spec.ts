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
import { startCapturingServer, startTestChain } from '@bascule/testing';
import type { CannedResponse, TestChain } from '@bascule/testing';
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
import { BridgeRefusedError } from '../bridge.js';
import type { BridgeTransfer } from '../bridge.js';
import { IntentEscrowBridge } from './intent-escrow-bridge.js';

const { usdc, intentEscrow: escrow, attesterOracle: oracle, weth } = developmentAddresses;
const keys = developmentAccounts.map(({ privateKey }) => privateKeyToAccount(privateKey));
const [user, , , , , , , solver, firstAttester, secondAttester] = keys;
const AMOUNT = 10_000_000n;
const RECIPIENT: Address = '0x00000000000000000000000000000000000000aa';
/** Two blocks on top, so that nothing is final at once. */
const CONFIRMATIONS = 3;
/** More blocks than a hosted node searches at once. */
const MANY_BLOCKS = 300;
const BLOCKS_PER_SEARCH = 50;
/** As the development escrow was deployed. */
const FILL_WINDOW_SECONDS = 120;

const connect = ({ rpcUrl }: TestChain) =>
  createTestClient({ mode: 'anvil', transport: http(rpcUrl), pollingInterval: 50, cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions);
type Node = ReturnType<typeof connect>;

const json = (body: string): CannedResponse => ({
  headers: { 'content-type': 'application/json' },
  body,
});

/** In front of a chain's node, as hosted ones are: it searches no long ranges for logs. */
const startHostedNode = ({ rpcUrl }: TestChain) =>
  startCapturingServer(async ({ body }) => {
    const text = body.toString('utf8');
    const { id, method, params } = JSON.parse(text) as {
      id: number;
      method: string;
      params: [{ fromBlock: string; toBlock: string }];
    };
    const [range] = method === 'eth_getLogs' ? params : [];
    if (range && BigInt(range.toBlock) - BigInt(range.fromBlock) >= BLOCKS_PER_SEARCH) {
      const error = { code: -32005, message: 'query exceeds max block range' };
      return json(JSON.stringify({ jsonrpc: '2.0', id, error }));
    }
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(rpcUrl, { method: 'POST', headers, body: text });
    return json(await answer.text());
  });

/** A solver that takes nothing, as slow as it is told to be. */
const startSolver = (conduct: { fillSeconds: number }) =>
  startCapturingServer(({ body }) => {
    const { amount } = JSON.parse(body.toString('utf8')) as { amount: string };
    const limits = { min: '1', max: amount };
    return json(
      JSON.stringify({ output_amount: amount, fill_seconds: conduct.fillSeconds, limits }),
    );
  });

describe('a transfer through the escrow', () => {
  const conduct = { fillSeconds: 7 };
  let servers: { stop(): Promise<void> }[];
  /** A node of the second chain that has gone another way, on which much time has passed. */
  let fork: TestChain;
  let chains: Chains;
  let forkedChains: Chains;
  let bridge: IntentEscrowBridge;
  let here: Node;
  let there: Node;

  beforeAll(async () => {
    const nodes = await Promise.all([
      startTestChain({ name: 'alphanet', chainId: 31337 }),
      startTestChain({ name: 'betanet', chainId: 31338 }),
      startTestChain({ name: 'betanet', chainId: 31338 }),
    ]);
    const [alphanet, betanet] = nodes;
    fork = nodes[2];
    [here, there] = [connect(alphanet), connect(betanet)];
    const [alphanetUrl, betanetUrl, solverServer] = await Promise.all([
      startHostedNode(alphanet),
      startHostedNode(betanet),
      startSolver(conduct),
    ]);
    servers = [...nodes, alphanetUrl, betanetUrl, solverServer];
    const chainsAt = (...urls: string[]) => {
      const config = parseChainsConfig({
        CHAINS: 'alphanet,betanet',
        RPC_URLS_ALPHANET: alphanetUrl.url,
        RPC_URLS_BETANET: urls.join(','),
        CONFIRMATIONS_ALPHANET: String(CONFIRMATIONS),
        CONFIRMATIONS_BETANET: String(CONFIRMATIONS),
      });
      const hosted = config.chains.map(({ definition, rpcUrls }) => ({
        definition: { ...definition, blocksPerSearch: BLOCKS_PER_SEARCH },
        rpcUrls,
      }));
      return new Chains({ chains: hosted });
    };
    chains = chainsAt(betanetUrl.url);
    forkedChains = chainsAt(fork.rpcUrl, betanetUrl.url);
    const config = { name: 'intent_escrow', adapter: 'intent-escrow' } as const;
    const solverConfig = { solverUrl: solverServer.url, apiKey: 'key' };
    bridge = new IntentEscrowBridge({ ...config, ...solverConfig }, chains);
    // Blocks come only with transactions or when asked for, so that what is final is up to the test.
    for (const node of [here, there, connect(fork)]) {
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

  async function opening(): Promise<{ transfer: BridgeTransfer; receipt: TransactionReceipt }> {
    // Both chains have the same time, as far as blocks can.
    const blocks = await Promise.all([here, there].map((node) => node.getBlock()));
    const times = blocks.map(({ timestamp }) => timestamp + 10n);
    const timestamp = times.reduce((one, other) => (one > other ? one : other));
    for (const node of [here, there]) {
      await node.setNextBlockTimestamp({ timestamp });
      await node.mine({ blocks: 1 });
    }
    const request = {
      token: usdc,
      amount: AMOUNT,
      destinationChainId: 31338n,
      destinationToken: usdc,
      minimum: AMOUNT - 5n,
      owner: account(user).address,
    };
    const receipt = await sent(here, user, escrow, intentEscrowAbi, 'bridge', [request]);
    const transfer = await bridge.opened(ends(), receipt.logs, account(user).address);
    if (!transfer) throw new Error('no order was opened');
    return { transfer, receipt };
  }
  const open = async (): Promise<BridgeTransfer> => (await opening()).transfer;

  const fill = ({ details: order }: BridgeTransfer, amount: bigint) =>
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

  const attestFilled = ({ id }: BridgeTransfer) =>
    attest({ orderId: id, outcome: FILL_OUTCOMES.filled, filler: account(solver).address });

  it('is quoted only where it will be filled while the escrow waits', async () => {
    const quoted = () =>
      bridge.quote({ ...ends(), inputToken: usdc, outputToken: usdc, amount: AMOUNT });
    const margin = 15;
    conduct.fillSeconds = FILL_WINDOW_SECONDS - margin;
    await expect(quoted()).resolves.toMatchObject({ delivered: AMOUNT });
    conduct.fillSeconds += 1;
    await expect(quoted()).rejects.toThrow(BridgeRefusedError);
  });

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
    const order = parseOrder(transfer.details);
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
    await attestFilled(transfer);
    await sent(here, user, escrow, intentEscrowAbi, 'release', [parseOrder(transfer.details)]);
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

  it('is found filled however long ago, and however late it is recorded', async () => {
    const { transfer: early, receipt } = await opening();
    const filled = await fill(early, AMOUNT);
    await attestFilled(early);
    await there.mine({ blocks: MANY_BLOCKS, interval: 1 });
    await final(here);
    const late = await bridge.opened(ends(), receipt.logs, account(user).address);
    if (!late) throw new Error('no order was opened');
    expect(late.destinationFromBlock).toBeLessThanOrEqual(filled.blockNumber);
    const is = { kind: 'filled', transactionHash: filled.transactionHash };
    expect(await status(late)).toMatchObject(is);
    // A clock that was far behind, or an older version of this service.
    const tooLate = { ...late, destinationFromBlock: filled.blockNumber + 200n };
    expect(await status(tooLate)).toMatchObject(is);
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

  it('is lost once the escrow has paid for a delivery that never came', async () => {
    const transfer = await open();
    await attestFilled(transfer);
    await sent(here, user, escrow, intentEscrowAbi, 'release', [parseOrder(transfer.details)]);
    await final(here);
    const { fillDeadline, expires } = parseOrder(transfer.details);
    for (const timestamp of [fillDeadline + 1n, expires]) {
      await there.setNextBlockTimestamp({ timestamp });
      await there.mine({ blocks: 1 });
      await there.mine({ blocks: CONFIRMATIONS - 1, interval: 1 });
      expect(await status(transfer)).toEqual({ kind: 'open' });
    }
    await there.mine({ blocks: 1 });
    expect(await status(transfer)).toEqual({ kind: 'lost' });
  });

  it('does not end on the word of one node', async () => {
    const transfer = await open();
    await final(here);
    const node = connect(fork);
    await node.setNextBlockTimestamp({ timestamp: parseOrder(transfer.details).expires + 1n });
    const ahead = (await there.getBlockNumber()) - (await node.getBlockNumber());
    await node.mine({ blocks: Number(ahead) + 2 * CONFIRMATIONS });
    const forked = { ...ends(), destination: forkedChains.get('betanet') };
    await expect(bridge.status(transfer, forked)).rejects.toThrow('do not agree');
    expect(await status(transfer)).toEqual({ kind: 'open' });
  });

  it('is unfilled once a final block of the destination is past the deadline, then refunded', async () => {
    const transfer = await open();
    await final(here);
    const order = parseOrder(transfer.details);
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
    const refunded = {
      kind: 'refunded',
      recipient: getAddress(RECIPIENT),
      amount: AMOUNT - 7n,
      feeReceiver: weth,
      fee: 7n,
      transactionHash: receipt.transactionHash,
      blockNumber: receipt.blockNumber,
    };
    expect(await status(transfer)).toMatchObject(refunded);
    await here.mine({ blocks: MANY_BLOCKS, interval: 1 });
    expect(await status(transfer)).toMatchObject(refunded);
  });
});
