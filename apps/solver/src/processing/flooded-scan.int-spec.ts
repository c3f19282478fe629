import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@bascule/testing';
import type { LyingNode, RpcAnswer } from '@bascule/testing';
import { flood } from '../testing/flood.fixture.js';
import { SolverStage } from '../testing/solver-stage.fixture.js';
import { TwoNodes } from '../testing/two-nodes.fixture.js';

const AMOUNT = 90_000_000n;
const FAILED = { error: { code: -32_603, message: 'internal error' } };
const TOO_LARGE = { error: { code: -32_005, message: 'query returned more than 100 results' } };

const BETANET_CURSOR = `SELECT block_number AS block FROM order_cursors WHERE chain = 'betanet'`;

/** Has a node refuse answers of more than 100 logs, and counts its refusals. */
function limitLogs(node: LyingNode, refusal: RpcAnswer = TOO_LARGE): { refused: number } {
  const counted = { refused: 0 };
  node.lies.set('eth_getLogs', async (_, honest) => {
    const answer = await honest();
    if ((answer.result as unknown[]).length <= 100) return answer;
    counted.refused += 1;
    return refusal;
  });
  return counted;
}

describe('a flood of orders of strangers', () => {
  let stage: SolverStage;
  let nodes: TwoNodes;
  let alphanet: LyingNode;

  beforeAll(async () => {
    stage = await SolverStage.start();
  });
  beforeEach(async () => {
    nodes = await TwoNodes.start(stage);
    ({ alphanet } = nodes);
  });
  afterEach(async () => {
    await stage.stopProcesses();
    await nodes.stop();
  });
  afterAll(() => stage.stop());

  /** Floods the escrow and opens another order, all while the solver is down. */
  const floodedMeanwhile = async ({ floods, orders }: { floods: number; orders: number }) => {
    const service = await stage.startProcess();
    await stage.stopProcess(service);
    const flooded = [];
    for (let count = 0; count < floods; count += 1) {
      flooded.push(await flood(stage, { orders, last: AMOUNT }));
    }
    const { transfer } = await stage.open(service, { amount: AMOUNT });
    return { flooded, transfer };
  };
  const keptOfOneUnit = () =>
    stage.sql(`SELECT id FROM orders WHERE body ->> 'input_amount' = '1'`);

  it.each([
    ['refuse', TOO_LARGE],
    ['fail to read', FAILED],
  ])(
    'while a solver was down holds up no other order, though its nodes %s the range',
    async (_, refusal) => {
      const { flooded, transfer } = await floodedMeanwhile({ floods: 4, orders: 60 });
      const given = limitLogs(alphanet, refusal);
      await stage.startProcess(nodes.environment());
      for (const { id } of [...flooded, transfer]) await stage.becomes({ id }, 'CLAIMED');
      expect(given.refused).toBeGreaterThan(0);
      expect(await keptOfOneUnit()).toEqual([]);
    },
  );

  it('in one block holds up no other order of that block, though its nodes refuse the logs', async () => {
    const { flooded, transfer } = await floodedMeanwhile({ floods: 1, orders: 200 });
    const given = limitLogs(alphanet);
    await stage.startProcess(nodes.environment());
    for (const { id } of [...flooded, transfer]) await stage.becomes({ id }, 'CLAIMED');
    expect(given.refused).toBeGreaterThan(0);
    expect(await keptOfOneUnit()).toEqual([]);
  });

  it('costs its own orders only where its transaction is too large to be read', async () => {
    const { flooded, transfer } = await floodedMeanwhile({ floods: 1, orders: 200 });
    limitLogs(alphanet);
    alphanet.lies.set('eth_getTransactionReceipt', async ({ params: [hash] }, honest) =>
      flooded.some((each) => each.hash === hash) ? TOO_LARGE : honest(),
    );
    await stage.startProcess(nodes.environment());
    await stage.becomes(transfer, 'CLAIMED');
    for (const order of flooded) expect((await stage.row(order)).status).toBe('UNSEEN');
  });

  it('lets one of two nodes hide no order, though it refuses the logs', async () => {
    const { flooded, transfer } = await floodedMeanwhile({ floods: 1, orders: 200 });
    limitLogs(alphanet);
    let hidden = 0;
    alphanet.lies.set('eth_getTransactionReceipt', async (_, honest) => {
      const answer = await honest();
      hidden += 1;
      return { ...answer, result: { ...(answer.result as object), logs: [] } };
    });
    await stage.startProcess(nodes.environment(1));
    await eventually(() => {
      expect(hidden).toBeGreaterThan(2);
    });
    for (const order of [...flooded, transfer]) {
      expect((await stage.row(order)).status).toBe('UNSEEN');
    }
    alphanet.lies.delete('eth_getTransactionReceipt');
    for (const { id } of [...flooded, transfer]) await stage.becomes({ id }, 'CLAIMED');
  });

  it('has the lease of its scan renewed while a block is read by its receipts', async () => {
    await floodedMeanwhile({ floods: 1, orders: 200 });
    const leasedUntil = async (): Promise<number> => {
      const sql = `SELECT due_at FROM order_cursors WHERE chain = 'alphanet'`;
      const [cursor] = await stage.sql<{ due_at: Date }>(sql);
      return cursor?.due_at.getTime() ?? Number.NaN;
    };
    let ranOut = Number.NaN;
    alphanet.lies.set('eth_getLogs', async (_, honest) => {
      const answer = await honest();
      if ((answer.result as unknown[]).length <= 100) return answer;
      await stage.letLeasesRunOut();
      ranOut = await leasedUntil();
      return TOO_LARGE;
    });
    const { promise: answer, resolve: release } = Promise.withResolvers<RpcAnswer>();
    let asked = 0;
    alphanet.lies.set('eth_getTransactionReceipt', () => {
      asked += 1;
      return answer;
    });
    try {
      await stage.startProcess(nodes.environment());
      await eventually(() => {
        expect(asked).toBeGreaterThan(0);
      });
      expect(await leasedUntil()).toBeGreaterThan(ranOut);
    } finally {
      release(FAILED);
    }
  });

  it('has a scan that outlives its lease run once, and stops no other chain', async () => {
    await stage.startProcess(nodes.environment());
    // A request that is repeated after its timeout is of the same scan.
    const scans = new Set<string>();
    const { promise: answer, resolve: release } = Promise.withResolvers<RpcAnswer>();
    alphanet.lies.set('eth_getLogs', ({ params }) => {
      scans.add(JSON.stringify(params));
      return answer;
    });
    try {
      await eventually(() => {
        expect(scans.size).toBe(1);
      });
      const [before] = await stage.sql<{ block: string }>(BETANET_CURSOR);
      await eventually(async () => {
        await stage.letLeasesRunOut();
        const [now] = await stage.sql<{ block: string }>(BETANET_CURSOR);
        expect(Number(now?.block)).toBeGreaterThan(Number(before?.block) + 2);
      });
      expect(scans.size).toBe(1);
    } finally {
      release(FAILED);
    }
  });
});
