import { describe, expect, it } from '@jest/globals';
import type { Chain, EndpointClient } from '@bascule/chain';
import { developmentAddresses, oneTimeWalletAbi } from '@bascule/solidity';
import { encodeAbiParameters, encodeEventTopics, erc20Abi, getAddress, pad } from 'viem';
import type { Hex } from 'viem';
import { OWNER } from '../testing/a-payment.fixture.js';
import { USDC } from '../testing/a-quote.fixture.js';
import { testimonyAbout } from './witness.client.js';

const WALLET = getAddress(`0x${'ab'.repeat(20)}`);
const BLOCK: Hex = `0x${'b'.repeat(64)}`;
const AMOUNT = 50_000_000_000n;

const [TRANSFER = '0x'] = encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer' });
const [APPROVAL = '0x'] = encodeEventTopics({ abi: erc20Abi, eventName: 'Approval' });
const LEG_EXECUTED = {
  topics: encodeEventTopics({ abi: oneTimeWalletAbi, eventName: 'LegExecuted', args: { leg: 0n } }),
  data: encodeAbiParameters(
    [{ type: 'uint256' }, { type: 'uint256[]' }, { type: 'uint256' }],
    [AMOUNT, [], AMOUNT],
  ),
};
const data = encodeAbiParameters([{ type: 'uint256' }], [AMOUNT]);
const addresses = [pad(OWNER as Hex), pad(WALLET)];
const log = {
  ...{ address: developmentAddresses.usdc, logIndex: 7, data, topics: [TRANSFER, ...addresses] },
};

/** Asks two nodes that have this log in the transaction's receipt. */
function ask(...told: object[]) {
  const node: Partial<EndpointClient> = {
    getTransactionReceipt: (() =>
      Promise.resolve({
        ...{ status: 'success', blockHash: BLOCK, logs: told },
      })) as unknown as EndpointClient['getTransactionReceipt'],
  };
  const endpoints = [node, node] as EndpointClient[];
  const definition = { contracts: { converter: OWNER } };
  return testimonyAbout({ name: 'alphanet', definition, endpoints } as unknown as Chain, {
    ...{ token: USDC, wallet: WALLET, sender: OWNER.toLowerCase(), amount: AMOUNT },
    ...{ transactionHash: `0x${'a'.repeat(64)}`, position: 'log:7' },
    ...{ blockHash: BLOCK, blockNumber: 12n },
  });
}

describe('a transfer that one node has told', () => {
  it('is witnessed where two nodes have its log', async () => {
    expect(await ask(log)).toBe('witnessed');
  });

  it.each<[string, object]>([
    ['an approval', { topics: [APPROVAL, ...addresses] }],
    ['no data', { data: '0x' }],
    ['no recipient', { topics: log.topics.slice(0, 2) }],
    ['another amount', { data: encodeAbiParameters([{ type: 'uint256' }], [AMOUNT - 1n]) }],
    ['another recipient', { topics: [TRANSFER, addresses[0], addresses[0]] }],
    ['another sender', { topics: [TRANSFER, addresses[1], addresses[1]] }],
    ['another token', { address: developmentAddresses.usdt }],
    ['another place', { logIndex: 8 }],
  ])('is denied where they have a log with %s', async (_, change) => {
    expect(await ask({ ...log, ...change })).toBe('denied');
  });

  it('is denied where the converter sent it within a leg of the wallet', async () => {
    const executed = { address: WALLET, logIndex: 8, ...LEG_EXECUTED };
    expect(await ask(log, executed)).toBe('denied');
    expect(await ask(log, { ...executed, address: getAddress(OWNER) })).toBe('witnessed');
  });
});
