import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RunningService } from '@bascule/service-host';
import { eventually } from '@bascule/testing';
import type { LyingNode } from '@bascule/testing';
import { BridgeRefusedError } from '@bascule/venues';
import { numberToHex } from 'viem';
import { SolverStage, USDC } from '../testing/solver-stage.fixture.js';
import { TwoNodes } from '../testing/two-nodes.fixture.js';

const AMOUNT = 90_000_000n;
const REFUSAL = { error: { code: -32_000, message: 'not now' } };

describe('a solver whose scan of an origin is behind', () => {
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

  const quote = (service: RunningService, from: 'alphanet' | 'betanet') =>
    stage.bridge(service).quote({
      ...stage.ends(from),
      inputToken: USDC,
      outputToken: USDC,
      amount: AMOUNT,
    });
  const metricsOf = async ({ operationsUrl }: RunningService): Promise<string> =>
    (await fetch(`${operationsUrl}/metrics`)).text();
  const lagOf = async (service: RunningService, chain: string): Promise<number> => {
    const line = new RegExp(`^solver_scan_lag_seconds\\{chain="${chain}"\\} (\\S+)$`, 'm');
    return Number(line.exec(await metricsOf(service))?.[1]);
  };
  /** Lets the last scan that succeeded be a minute and a half ago. */
  const ageScan = () =>
    stage.sql(
      `UPDATE order_cursors SET caught_up_at = now() - interval '90 seconds'
       WHERE chain = 'alphanet'`,
    );

  it('quotes no order from there until it has caught up, which ends no leg', async () => {
    const service = await stage.startProcess(nodes.environment());
    alphanet.lies.set('eth_getBlockByNumber', () => Promise.resolve(REFUSAL));
    // A scan that had begun before may still succeed.
    await eventually(async () => {
      await ageScan();
      const failure: unknown = await quote(service, 'alphanet').catch((error: unknown) => error);
      expect(failure).not.toBeInstanceOf(BridgeRefusedError);
      expect(String(failure)).toContain('503');
    });
    await expect(quote(service, 'betanet')).resolves.toBeDefined();
    expect(await lagOf(service, 'alphanet')).toBeGreaterThanOrEqual(90);
    expect(await lagOf(service, 'betanet')).toBeLessThan(90);

    alphanet.lies.clear();
    await eventually(async () => {
      await expect(quote(service, 'alphanet')).resolves.toBeDefined();
    });
    expect(await lagOf(service, 'alphanet')).toBeLessThan(90);
  });

  it.each([
    ['a head that stands still', () => 0],
    ['a head that grows, but is old', (blocks: number) => blocks - 60],
  ])('quotes no order from there while one of two nodes reports %s', async (_, reported) => {
    const service = await stage.startProcess(nodes.environment(1));
    const start = await stage.nodes.alphanet.getBlockNumber();
    await stage.nodes.alphanet.request({
      method: 'anvil_mine' as never,
      params: ['0x40'] as never,
    });
    alphanet.lies.set('eth_blockNumber', async (_call, honest) => {
      const { result } = await honest();
      return { result: numberToHex(Number(start) + reported(Number(result) - Number(start))) };
    });
    const before = alphanet.requests.get('eth_blockNumber') ?? 0;
    await eventually(() => {
      expect(alphanet.requests.get('eth_blockNumber')).toBeGreaterThan(before + 6);
    });
    await ageScan();
    const lied = alphanet.requests.get('eth_blockNumber') ?? 0;
    await eventually(() => {
      expect(alphanet.requests.get('eth_blockNumber')).toBeGreaterThan(lied + 6);
    });
    await expect(quote(service, 'alphanet')).rejects.toThrow('503');
    expect(await lagOf(service, 'alphanet')).toBeGreaterThanOrEqual(90);

    alphanet.lies.clear();
    await eventually(async () => {
      await expect(quote(service, 'alphanet')).resolves.toBeDefined();
    });
  });

  it('has an alert on a metric that exists from the start', async () => {
    const service = await stage.startProcess();
    const rules = readFileSync(resolve('apps/solver/alerts.yaml'), 'utf8');
    const names = [...rules.matchAll(/expr: .*\((\w+)\) > \d+/g)].map(([, name = '']) => name);
    expect(names).toEqual(['solver_scan_lag_seconds']);
    expect(names).toHaveLength(rules.match(/- alert:/g)?.length ?? 0);
    for (const chain of ['alphanet', 'betanet']) {
      expect(await lagOf(service, chain)).toBeGreaterThanOrEqual(0);
    }
  });
});
