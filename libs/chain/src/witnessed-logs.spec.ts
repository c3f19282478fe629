import { describe, expect, it } from '@jest/globals';
import { TransactionReceiptNotFoundError } from 'viem';
import type { Chain, EndpointClient } from './chain.js';
import { witnessedFinding } from './witnessed-logs.js';
import type { ReportedLog } from './witnessed-logs.js';

const LOG = {
  ...{ address: '0xaa', topics: ['0x01'], data: '0x', logIndex: 0 },
  ...{ transactionHash: '0x11', blockHash: '0x22', blockNumber: 5n },
} as unknown as ReportedLog;

type Conduct = 'has it' | 'has it elsewhere' | 'has none' | 'is away';

/** The log in the same block, which a liar gives another number. */
const ELSEWHERE: ReportedLog = { ...LOG, blockNumber: 10n ** 12n };

function logOf(conduct?: Conduct): ReportedLog | undefined {
  if (conduct === 'has it') return LOG;
  return conduct === 'has it elsewhere' ? ELSEWHERE : undefined;
}

const nodeThat = (conduct: Conduct): EndpointClient =>
  ({
    getTransactionReceipt: async () => {
      if (conduct === 'is away') throw new Error('no answer');
      const log = logOf(conduct);
      if (log) {
        return { status: 'success', blockHash: '0x22', blockNumber: log.blockNumber, logs: [log] };
      }
      throw new TransactionReceiptNotFoundError({ hash: '0x11' });
    },
  }) as unknown as EndpointClient;

async function find(conducts: readonly Conduct[]): Promise<ReportedLog | undefined> {
  const nodes = new Map(conducts.map((conduct) => [nodeThat(conduct), conduct]));
  const chain: Pick<Chain, 'endpoints'> = { endpoints: [...nodes.keys()] };
  return witnessedFinding(
    chain,
    async (node) => {
      if (nodes.get(node) === 'is away') throw new Error('no answer');
      return logOf(nodes.get(node));
    },
    (log) => [log],
  );
}

describe('witnessedFinding', () => {
  it.each<[Conduct[]]>([
    [['has it']],
    [['has it', 'has it']],
    [['is away', 'has it', 'has it']],
    [['has none', 'has it', 'has it']],
    [['has it elsewhere', 'has it', 'has it']],
  ])('finds what two nodes have, or the only one: %j', async (conducts) => {
    expect(await find(conducts)).toBe(LOG);
  });

  it.each<[Conduct[]]>([
    [['has none']],
    [['has none', 'has none', 'is away']],
    [['is away', 'has none', 'has none']],
    [['has it', 'has none', 'is away']],
    [['has it', 'has none', 'has none']],
    [['has it elsewhere', 'has it', 'has none']],
  ])('finds nothing once two nodes answered, or the only one: %j', async (conducts) => {
    expect(await find(conducts)).toBeUndefined();
  });

  it.each<[Conduct[]]>([
    [['is away']],
    [['has none', 'is away']],
    [['is away', 'is away', 'has none']],
    [['has it', 'is away', 'is away']],
  ])('fails while too few nodes answer: %j', async (conducts) => {
    await expect(find(conducts)).rejects.toThrow('nodes answered');
  });
});
