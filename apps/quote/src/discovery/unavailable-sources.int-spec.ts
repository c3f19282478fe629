import { parseTokenIdentifier, type AvailableAssetsResponse } from '@bascule/contracts';
import {
  eventually,
  runSql,
  startCapturingServer,
  type CannedResponse,
  type CapturingServer,
} from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import {
  assetRecord,
  FOREIGN_USDC,
  FOREIGN_WETH,
  priceRecord,
  token,
  USDC,
  USDT,
  WETH,
} from '../testing/catalogue-feed.fixture.js';
import {
  BRIDGE,
  fixedInput,
  startQuoteStand,
  type QuoteStand,
} from '../testing/quote-stand.fixture.js';
import { startStubSolver, type StubSolver } from '../testing/stub-solver.fixture.js';

/** Age at which requests wait for the database, unless its last read failed. */
const STALE_MS = 3_000;
/** Native currency of a chain without venues. */
const WITHOUT_VENUES = 'polygonamoy:0x';
/** Lanes of the busy bridge: as many as a search tries, each shorter than over the other bridge. */
const WAYS = [
  [WETH, FOREIGN_WETH],
  [WETH, FOREIGN_USDC],
  [USDC, FOREIGN_WETH],
  [USDT, FOREIGN_WETH],
] as const;
const json = (body: string): CannedResponse => ({
  headers: { 'content-type': 'application/json' },
  body,
});

/** Server that the test can make unreachable. */
interface Party {
  isGone: boolean;
  server: CapturingServer;
}

async function startParty(answer: (body: Buffer) => Promise<string> | string): Promise<Party> {
  const party: Omit<Party, 'server'> = { isGone: false };
  const server = await startCapturingServer(async ({ body }) => {
    if (party.isGone) throw new Error('gone');
    return json(await answer(body));
  });
  return Object.assign(party, { server });
}

const startBusyBridge = (): Promise<Party> => {
  const addressOf = (token: string) => parseTokenIdentifier(token as typeof USDC).address;
  const routes = WAYS.map(([input, output]) => ({
    origin_chain_id: 31337,
    destination_chain_id: 31338,
    input_token: addressOf(input),
    output_token: addressOf(output),
  }));
  return startParty(() => JSON.stringify({ routes }));
};

describe('discovery with unavailable sources', () => {
  let stand: QuoteStand;
  let solver: StubSolver;
  /** Proxies of the nodes of two chains. */
  let nodes: Record<'betanet' | 'polygonamoy', Party>;
  let busy: Party;

  beforeAll(async () => {
    solver = await startStubSolver();
    busy = await startBusyBridge();
    const startNode = () =>
      startParty(async (body) => {
        const headers = { 'content-type': 'application/json' };
        const url = stand.otherChain?.rpcUrl ?? '';
        return (await fetch(url, { method: 'POST', headers, body: body.toString('utf8') })).text();
      });
    nodes = { betanet: await startNode(), polygonamoy: await startNode() };
    const bridge = { adapter: 'intent-escrow', api_key: 'key' };
    stand = await startQuoteStand(
      {},
      {
        COVERAGE_TTL_MS: '5000',
        CHAINS: 'alphanet,betanet,polygonamoy',
        RPC_URLS_BETANET: nodes.betanet.server.url,
        RPC_URLS_POLYGONAMOY: nodes.polygonamoy.server.url,
        BRIDGES: JSON.stringify([
          { ...bridge, name: 'busy', solver_url: busy.server.url },
          { ...bridge, name: BRIDGE, solver_url: solver.url },
        ]),
        EDGE_RULES: JSON.stringify([{ name: 'usdt', conversion: { token: USDT }, beta: true }]),
      },
      solver,
    );
    await stand.transport.publish([
      assetRecord(WITHOUT_VENUES, 1, true, token(WITHOUT_VENUES, 'POL', 18)),
      priceRecord(WITHOUT_VENUES, '0.5'),
    ]);
  });
  afterAll(async () => {
    await stand.stop();
    const parties = [busy, nodes.betanet, nodes.polygonamoy];
    await Promise.all([solver.stop(), ...parties.map(({ server }) => server.stop())]);
  });

  const available = async (input: string): Promise<AvailableAssetsResponse> => {
    const { status, body } = await stand.get<AvailableAssetsResponse>(
      `/assets/available-outputs?inputs[]=${input}`,
    );
    expect(status).toBe(200);
    return body;
  };
  const outputsOf = async (input: string): Promise<readonly string[]> =>
    (await available(input))[input]?.tokens ?? [];

  it.each([
    ['betanet', FOREIGN_USDC, FOREIGN_WETH],
    ['polygonamoy', WITHOUT_VENUES, WITHOUT_VENUES],
  ] as const)(
    'omits an unreachable chain from the first failed quote until it responds: %s',
    async (chain, input, output) => {
      await eventually(async () => expect(await outputsOf(input)).toContain(output));
      nodes[chain].isGone = true;
      await eventually(async () => {
        const { body } = await stand.ask(fixedInput(input, '20', output));
        expect(body.quotes).toEqual([]);
      });
      await eventually(async () => expect(await available(input)).toEqual({}));
      expect(await outputsOf(USDC)).toContain(WETH);
      expect(await outputsOf(USDC)).not.toContain(output);
      nodes[chain].isGone = false;
      await eventually(async () => expect(await outputsOf(input)).toContain(output));
    },
  );

  it('omits lanes of an unavailable bridge and quotes another bridge', async () => {
    await eventually(async () => expect(await outputsOf(USDT)).toContain(FOREIGN_WETH));
    busy.isGone = true;
    await eventually(async () => expect(await outputsOf(USDT)).not.toContain(FOREIGN_WETH));
    expect(await outputsOf(WETH)).toContain(FOREIGN_WETH);
    const open = { features: ['BETA_EDGES'] };
    const { body } = await stand.ask(fixedInput(WETH, '0.07', FOREIGN_WETH, open));
    expect(body.quotes).toHaveLength(1);
  });

  it('responds from memory while the database is away', async () => {
    const before = await available(USDC);
    expect(before).not.toEqual({});
    const { database, service } = stand;
    const role = new URL(database.database.url).username;
    await runSql(database.adminUrl, `ALTER ROLE ${role} NOLOGIN`);
    const sessions = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`;
    await runSql(database.adminUrl, sessions);
    await expect(service.app.get(DataSource).query('SELECT 1')).rejects.toThrow();
    const now = Date.now.bind(Date);
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + STALE_MS);
    for (let i = 0; i < 20; i += 1) expect(await available(USDC)).toEqual(before);
    clock.mockRestore();
    await runSql(database.adminUrl, `ALTER ROLE ${role} LOGIN`);
    await eventually(async () =>
      expect((await stand.ask(fixedInput(USDC, '20', WETH))).body.quotes).toHaveLength(1),
    );
  });
});
