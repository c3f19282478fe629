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
} from '@bascule/solidity';
import type { FillAttestation } from '@bascule/solidity';
import { startCapturingServer, startTestChain } from '@bascule/testing';
import type { CannedResponse, TestChain } from '@bascule/testing';
import { createTestClient, erc20Abi, http, maxUint256, publicActions, walletActions } from 'viem';
import type { Account, Address, TransactionReceipt } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { BridgeTransfer } from '../bridge.js';
import { IntentEscrowBridge } from '../intent-escrow/intent-escrow-bridge.js';
import type { BridgeStage } from './bridge-contract.fixture.js';

const {
  usdc,
  intentEscrow: escrow,
  attesterOracle: oracle,
  weth: otherContract,
} = developmentAddresses;
const keys = developmentAccounts.map(({ privateKey }) => privateKeyToAccount(privateKey));
const [user, , , , , , , solver, firstAttester, secondAttester] = keys;
export const AMOUNT = 10_000_000n;
/** Two blocks on top, so that no block is final immediately. */
export const CONFIRMATIONS = 3;
const BLOCKS_PER_SEARCH = 50;

export const connect = ({ rpcUrl }: TestChain) =>
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

/** Solver without a fee and with an adjustable fill time. */
const startSolver = (conduct: { fillSeconds: number }) =>
  startCapturingServer(({ body }) => {
    const { amount } = JSON.parse(body.toString('utf8')) as { amount: string };
    const limits = { min: '1', max: amount };
    return json(
      JSON.stringify({ output_amount: amount, fill_seconds: conduct.fillSeconds, limits }),
    );
  });

const account = (one: Account | undefined): Account => {
  if (!one) throw new Error('account not found');
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

/** Two chains with the escrow on both, mined only by transactions or on request, and a forked node of the second. */
export async function startIntentEscrowStage() {
  const solverConduct = { fillSeconds: 7 };
  const [alphanet, betanet, fork] = await Promise.all([
    startTestChain({ name: 'alphanet', chainId: 31337 }),
    startTestChain({ name: 'betanet', chainId: 31338 }),
    startTestChain({ name: 'betanet', chainId: 31338 }),
  ]);
  const [here, there] = [connect(alphanet), connect(betanet)];
  const [alphanetUrl, betanetUrl, solverServer] = await Promise.all([
    startHostedNode(alphanet),
    startHostedNode(betanet),
    startSolver(solverConduct),
  ]);
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
  const chains = chainsAt(betanetUrl.url);
  const config = { name: 'intent_escrow', adapter: 'intent-escrow' } as const;
  /** Creates a bridge that has asked no node before. */
  const freshBridge = () =>
    new IntentEscrowBridge({ ...config, solverUrl: solverServer.url, apiKey: 'key' }, chains);
  const bridge = freshBridge();
  // Blocks are mined only for transactions or on request, so that tests control finality.
  for (const node of [here, there, connect(fork)]) {
    await node.setIntervalMining({ interval: 0 });
    await node.setAutomine(true);
  }
  await sent(here, user, usdc, erc20Abi, 'approve', [escrow, maxUint256]);
  await sent(there, solver, usdc, erc20Abi, 'approve', [escrow, maxUint256]);
  const ends = { origin: chains.get('alphanet'), destination: chains.get('betanet') };
  const final = (node: Node) => node.mine({ blocks: CONFIRMATIONS - 1 });

  async function opening(): Promise<{ transfer: BridgeTransfer; receipt: TransactionReceipt }> {
    const receipt = await open();
    const transfer = await bridge.opened(ends, receipt.logs, account(user).address);
    if (!transfer) throw new Error('no order was opened');
    return { transfer, receipt };
  }

  async function open(): Promise<TransactionReceipt> {
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
    return sent(here, user, escrow, intentEscrowAbi, 'bridge', [request]);
  }

  const fill = ({ details }: BridgeTransfer, amount: bigint) =>
    sent(there, solver, escrow, intentEscrowAbi, 'fill', [
      parseOrder(details),
      amount,
      account(solver).address,
    ]);

  async function attest(attestation: FillAttestation): Promise<void> {
    const typedData = fillAttestationTypedData(attestation, { chainId: 31337n, oracle });
    const signatures = await Promise.all(
      [firstAttester, secondAttester].map(async (attester) => ({
        attester: account(attester).address,
        signature: await signedBy(attester, typedData),
      })),
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

  return {
    bridge,
    freshBridge,
    chains,
    forkedChains: chainsAt(fork.rpcUrl, betanetUrl.url),
    fork,
    here,
    there,
    solverConduct,
    ends,
    user,
    solver,
    sent,
    final,
    opening,
    fill,
    attest,
    attestFilled,
    contract: {
      bridge,
      ...ends,
      wallet: account(user).address,
      token: usdc,
      amount: AMOUNT,
      otherContract,
      open: async () => (await open()).logs,
      deliver: async (transfer, amount) => (await fill(transfer, amount)).transactionHash,
      finalizeOrigin: () => final(here),
      finalizeDestination: () => final(there),
    } satisfies Omit<BridgeStage, 'stop'>,
    async stop(): Promise<void> {
      const servers = [alphanet, betanet, fork, alphanetUrl, betanetUrl, solverServer];
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

async function signedBy(
  attester: (typeof keys)[number] | undefined,
  typedData: ReturnType<typeof fillAttestationTypedData>,
) {
  if (!attester) throw new Error('attester not found');
  return attester.signTypedData(typedData);
}
