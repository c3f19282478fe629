import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { BalancesResponse } from '@bascule/contracts';
import { eventually, startLyingNode, startTestChain } from '@bascule/testing';
import type { LyingNode, TestChain } from '@bascule/testing';
import { deployDevelopmentChain } from '@bascule/local-stack';
import type { Address } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { playOn } from '../testing/chain-player.fixture.js';
import type { ChainPlayer } from '../testing/chain-player.fixture.js';
import { aPayment } from '../testing/payments.fixture.js';
import { BETA_USDC, startStage } from '../testing/withdrawal-stage.fixture.js';
import type { Stage } from '../testing/withdrawal-stage.fixture.js';

const CONTRACT = '0x60006000fd';
const DELEGATION = `0xef0100${'12'.repeat(20)}` as const;
const anAddress = () => privateKeyToAddress(generatePrivateKey());

let stage: Stage;
let chain: TestChain;
let betanet: ChainPlayer;
let nodes: LyingNode[];

beforeAll(async () => {
  chain = await startTestChain({ name: 'betanet', chainId: 31_338 });
  await deployDevelopmentChain(chain);
  betanet = playOn(chain);
  nodes = [await startLyingNode(chain.rpcUrl), await startLyingNode(chain.rpcUrl)];
  const urls = nodes.map(({ url }) => url).join(',');
  stage = await startStage({ betanet: chain, variables: { RPC_URLS_BETANET: urls } });
}, 120_000);
afterEach(() => {
  stage.interceptNode();
  for (const { lies } of nodes) lies.clear();
});
afterAll(async () => {
  await stage.stop();
  for (const node of nodes) await node.stop();
  await chain.stop();
});

/** Wallet of a payment whose legs are on the other chain, with money on this one. */
async function aWalletOf(owner: Address): Promise<Address> {
  const { id, state, wallet } = aPayment(owner);
  await stage.publish('payment', 'payment.expired', id, state);
  await betanet.fund(BETA_USDC, wallet, 1n);
  await eventually(async () => {
    const found = await stage.database.rows('SELECT id FROM payments WHERE id = $1', [id]);
    expect(found).toHaveLength(1);
  });
  return wallet;
}

async function accountsOf(wallets: readonly Address[]) {
  const custom_queries = wallets.map((address) => ({ address, token: BETA_USDC }));
  const query = { custom_queries };
  const { body } = await stage.call<BalancesResponse>('/payments/balances', query);
  return body.balance_results.map(({ value, account }) => [value.kind, account]);
}

const SIGNS = ['amount', 'spw'];
const SIGNS_NOT = ['amount', undefined];

describe('money that strangers send to wallets on a chain without a leg', () => {
  it('costs each chain the same requests for one owner and for many', async () => {
    const wallets: Address[] = [];
    for (let count = 0; count < 12; count++) wallets.push(await aWalletOf(anAddress()));
    const costOf = async (queried: readonly Address[]) => {
      const ofAlphanet: string[] = [];
      stage.interceptNode(({ method }) => {
        ofAlphanet.push(method);
        return null;
      });
      for (const { requests } of nodes) requests.clear();
      expect(await accountsOf(queried)).toEqual(queried.map(() => SIGNS));
      return [ofAlphanet, ...nodes.map(({ requests }) => [...requests].sort())];
    };
    const ofOne = await costOf(wallets.slice(0, 1));
    expect(ofOne[0]).toEqual(['eth_call']);
    expect(await costOf(wallets)).toEqual(ofOne);
  });

  it('names the account of keys and of contracts that are deployed there', async () => {
    const [key, delegated, there, away] = [anAddress(), anAddress(), anAddress(), anAddress()];
    await stage.setCode(delegated, DELEGATION);
    for (const owner of [there, away]) await stage.setCode(owner, CONTRACT);
    await betanet.setCode(there, CONTRACT);
    const wallets: Address[] = [];
    for (const owner of [key, delegated, there, away]) wallets.push(await aWalletOf(owner));
    expect(await accountsOf(wallets)).toEqual([SIGNS, SIGNS, SIGNS, SIGNS_NOT]);
  });

  it('names the account though one of two nodes says that the contract is missing', async () => {
    const owner = anAddress();
    await stage.setCode(owner, CONTRACT);
    await betanet.setCode(owner, CONTRACT);
    const wallet = await aWalletOf(owner);
    nodes[0]?.lies.set('eth_call', ({ params: [call] }, honest) =>
      (call as { to?: string }).to === undefined
        ? Promise.resolve({ result: `0x${'00'.repeat(32)}` })
        : honest(),
    );
    expect(await accountsOf([wallet])).toEqual([SIGNS]);
  });
});
