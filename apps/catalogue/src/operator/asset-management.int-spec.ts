import { chainDefinitions, parseChainsConfig, type ChainDefinition } from '@bascule/chain';
import { INTERNAL_TOKEN_HEADER } from '@bascule/identity';
import { OperatorError } from '@bascule/operator-commands';
import { startService, type RunningService, type ServiceDefinition } from '@bascule/service-host';
import { developmentAddresses } from '@bascule/solidity';
import {
  createServiceDatabase,
  deployAnotherToken,
  eventually,
  internalTokens,
  startLyingNode,
  startTestChain,
  type LyingNode,
  type ServiceDatabase,
  type TestChain,
} from '@bascule/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { encodeAbiParameters, toFunctionSelector, toHex, type Hex } from 'viem';
import { parseCatalogueConfig, type CatalogueConfig } from '../config/catalogue.config.js';
import { catalogueService } from '../index.js';
import { parseAssetCommand } from './operator-arguments.js';
import { withAssetManagement } from './operator-database.client.js';
import { runAssetCommand } from './run-asset-command.service.js';

const USDC = `alphanet:${developmentAddresses.usdc.toLowerCase()}`;
const IMAGE = 'https://a.example/another.svg';
const tokens = internalTokens();

interface PublishedEvent {
  type: string;
  subject: string;
  data: object;
}

function gammanet(): ChainDefinition {
  const { alphanet } = chainDefinitions;
  if (!alphanet) throw new Error('expected alphanet in the definitions');
  return {
    ...alphanet,
    name: 'gammanet',
    chainId: 31_399,
    network: 'Gammanet',
    isTestnet: false,
    nativeCurrency: { name: 'Gamma', symbol: 'GAM', decimals: 18 },
    explorer: 'https://gamma.example',
  };
}

/** The service with one more chain, which is only a definition. */
const service: ServiceDefinition<CatalogueConfig> = {
  ...catalogueService,
  parseConfig: (env) => ({
    ...parseCatalogueConfig({ ...env, CHAINS: 'alphanet' }),
    chains: parseChainsConfig(env, { ...chainDefinitions, gammanet: gammanet() }),
  }),
};

describe('a catalogue of two replicas', () => {
  let chain: TestChain;
  let database: ServiceDatabase;
  let admin: DataSource;
  let env: NodeJS.ProcessEnv;
  let replicas: RunningService[];
  let added: string;

  beforeAll(async () => {
    [chain, database] = await Promise.all([startTestChain(), createServiceDatabase('catalogue')]);
    admin = await new DataSource({ type: 'postgres', url: database.adminUrl }).initialize();
    env = {
      ...tokens.env,
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'silent',
      DATABASE_URL: database.database.url,
      CHAINS: 'alphanet,gammanet',
      ASSET_SCOPE: 'all',
      RPC_URLS_ALPHANET: chain.rpcUrl,
      PUBLIC_RPC_ALPHANET: chain.rpcUrl,
      RPC_URLS_GAMMANET: chain.rpcUrl,
    };
    await catalogueService.migrate?.(service.parseConfig(env));
    replicas = [await startService(service, env), await startService(service, env)];
    added = `alphanet:${await deployAnotherToken(chain.rpcUrl)}`.toLowerCase();
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.shutdown({ graceMs: 0 })));
    await admin.destroy();
    await Promise.all([chain.stop(), database.drop()]);
  });

  async function request(
    { url }: RunningService,
    path: string,
  ): Promise<{ status: number; body: Record<string, object> }> {
    const token = await tokens.token({ permissions: ['assets'] });
    const response = await fetch(`${url}${path}`, { headers: { [INTERNAL_TOKEN_HEADER]: token } });
    return { status: response.status, body: (await response.json()) as Record<string, object> };
  }

  const operator = (line: string, more: NodeJS.ProcessEnv = {}): Promise<string[]> =>
    withAssetManagement({ ...env, ...more }, 'operator test', (management) =>
      runAssetCommand(management, parseAssetCommand(line.split(' ')), 60_000),
    );

  /** Reads from every replica. */
  async function expectEverywhere(id: string, expected: object | null): Promise<void> {
    for (const replica of replicas) {
      await eventually(async () => {
        const { status, body } = await request(replica, `/assets?assets[]=${id}`);
        if (expected === null) expect(status).toBe(400);
        else expect(body).toEqual({ [id]: expect.objectContaining(expected) });
      });
    }
  }

  async function published(id: string): Promise<PublishedEvent[]> {
    const rows: { value: Buffer }[] = await admin.query(
      `SELECT value FROM event_log.records WHERE topic = 'bascule.catalogue'
       ORDER BY published_at, "offset"`,
    );
    return rows
      .map(({ value }) => JSON.parse(value.toString('utf8')) as PublishedEvent)
      .filter(({ subject }) => subject === id);
  }

  it('lists a chain with its native and wrapped currency from its definition alone', async () => {
    const [replica] = replicas as [RunningService];
    const { body: chains } = await request(replica, '/chains');
    expect(chains['gammanet']).toMatchObject({
      chain_id: { '#': '31399' },
      network: 'Gammanet',
      native_currency: { symbol: 'GAM' },
      is_testnet: false,
      explorer: 'https://gamma.example/',
    });
    expect(Object.keys((await request(replica, '/chains?sandbox=false')).body)).toEqual([
      'gammanet',
    ]);
    const { body: assets } = await request(replica, '/assets?sandbox=false');
    const listed = Object.values(assets).filter((asset) => 'chain' in asset);
    expect(listed).toEqual([
      expect.objectContaining({
        chain: 'gammanet',
        symbol: 'GAM',
        is_native: true,
        wrapper: 'WGAM',
      }),
      expect.objectContaining({ symbol: 'WGAM', is_native: false }),
    ]);
  });

  it('lists an added token with the facts of its contract, on every replica and after restarts', async () => {
    const output = await operator(
      `add ${added} --image-url ${IMAGE} --alias Another --pair usdc/usd --decimals 6`,
    );
    expect(output).toEqual([
      `${added}: name "USD Coin", symbol "USDC", 6 decimals`,
      `${added}: applied and published`,
    ]);
    const expected = { symbol: 'USDC', name: 'USD Coin', decimals: 6, alias: 'Another' };
    await expectEverywhere(added, { ...expected, image_url: IMAGE, is_native: false });
    await eventually(async () => {
      expect(await published(added)).toEqual([
        expect.objectContaining({
          type: 'asset.listed',
          data: expect.objectContaining({ id: added, listed: true, version: 1 }),
        }),
      ]);
    });
    const [replica] = replicas as [RunningService];
    await replica.shutdown({ graceMs: 0 });
    replicas[0] = await startService(service, env);
    await expectEverywhere(added, expected);
    expect(await published(added)).toHaveLength(1);
  });

  describe('an added token that a node lies about', () => {
    const WRONG_DECIMALS = toHex(18, { size: 32 });
    const WRONG_SYMBOL = encodeAbiParameters([{ type: 'string' }], ['ETH']);
    let liar: LyingNode;
    let token: string;
    let add: string;

    beforeAll(async () => {
      liar = await startLyingNode(chain.rpcUrl);
      token = `alphanet:${await deployAnotherToken(chain.rpcUrl)}`.toLowerCase();
      add = `add ${token} --image-url ${IMAGE}`;
    });
    beforeEach(() => {
      liar.lies.clear();
      answerWrongly('decimals()', WRONG_DECIMALS);
    });
    afterAll(() => liar.stop());

    const answerWrongly = (called: string, result: Hex) =>
      liar.lies.set('eth_call', async ({ params: [call] }, honest) => {
        const { data } = call as { data: Hex };
        return data === toFunctionSelector(called) ? { result } : honest();
      });
    const configured = (...urls: string[]) => ({ RPC_URLS_ALPHANET: urls.join() });

    async function expectRefused(line: string, message: RegExp, more = {}): Promise<void> {
      const before = await operator(`history ${token}`);
      const error = await operator(line, more).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(OperatorError);
      expect(error).toMatchObject({ message: expect.stringMatching(message) });
      expect(await operator(`history ${token}`)).toEqual(before);
    }

    it('is not stored where one of two nodes lies about its decimals, in either order', async () => {
      const nodes = [liar.url, chain.rpcUrl];
      const message = /nodes of Alphanet disagree .*(18|6) decimals; .*(18|6) decimals/;
      for (const urls of [nodes, nodes.toReversed()]) {
        await expectRefused(add, message, configured(...urls));
        await expectRefused(`${add} --decimals 18`, message, configured(...urls));
        await expectRefused(`${add} --rpc-url ${urls.join()}`, message);
      }
    });

    it('is not stored where one of two nodes lies about its symbol', async () => {
      answerWrongly('symbol()', WRONG_SYMBOL);
      await expectRefused(add, /disagree .*"ETH"/, configured(liar.url, chain.rpcUrl));
    });

    it('is not stored where only one of two nodes answers', async () => {
      liar.lies.set('eth_call', async () => ({ error: { code: -32_000, message: 'no' } }));
      await expectRefused(add, /too few answered/, configured(liar.url, chain.rpcUrl));
    });

    it('has the decimals that two of three nodes tell', async () => {
      const third = await startLyingNode(chain.rpcUrl);
      try {
        const [stored] = await operator(add, configured(liar.url, chain.rpcUrl, third.url));
        expect(stored).toBe(`${token}: name "USD Coin", symbol "USDC", 6 decimals`);
        await expectEverywhere(token, { decimals: 6 });
        await operator(`reset ${token}`);
      } finally {
        await third.stop();
      }
    });

    it('has the decimals of a single node only where the operator confirms them', async () => {
      const alone = `${add} --rpc-url ${liar.url}`;
      await expectRefused(alone, /18 decimals: confirm .* documentation/);
      await expectRefused(`${alone} --decimals 6`, /expected 6 decimals, found .* 18 decimals/);
      await expectRefused(add, /only one node/, configured(liar.url, liar.url));
      await expectRefused(add, /only one node/, configured());
      await operator(`${add} --decimals 6`);
      await expectEverywhere(token, { decimals: 6 });
      await operator(`reset ${token}`);
    });

    it('is not read from a node of another chain', async () => {
      liar.lies.set('eth_chainId', async () => ({ result: '0x1' }));
      const message = /expected a node of Alphanet, found chain id 1;/;
      await expectRefused(`${add} --rpc-url ${liar.url} --decimals 18`, message);
    });
  });

  it('prices an added token by the chosen feed', async () => {
    const token = await tokens.token({ permissions: ['assets'] });
    const [replica] = replicas as [RunningService];
    await eventually(async () => {
      const response = await fetch(`${replica.url}/prices`, {
        method: 'POST',
        headers: { [INTERNAL_TOKEN_HEADER]: token, 'content-type': 'application/json' },
        body: JSON.stringify({ fiat: 'usd', tokens: [added, USDC] }),
      });
      const prices = (await response.json()) as Record<string, string>;
      expect(prices[USDC]).toBeDefined();
      expect(prices[added]).toBe(prices[USDC]);
    });
  });

  it('shows the image of an override as a valid URI', async () => {
    await operator(`override ${added} --image-url https://a.example/[1]{a}%.svg`);
    await expectEverywhere(added, { image_url: 'https://a.example/%5B1%5D%7Ba%7D%25.svg' });
    await operator(`override ${added} --image-url ${IMAGE}`);
    await expectEverywhere(added, { image_url: IMAGE });
  });

  it('names the wrapped token on the native currency, whatever its symbol and other overrides', async () => {
    const wrapped = `alphanet:${developmentAddresses.weth.toLowerCase()}`;
    await expectEverywhere('alphanet:0x', { wrapper: 'WETH' });
    await operator('override alphanet:0x --alias Ethereum');
    await operator(`override ${wrapped} --symbol WETH9`);
    await expectEverywhere('alphanet:0x', { wrapper: 'WETH9', alias: 'Ethereum' });
    await operator(`reset ${wrapped}`);
    await operator('reset alphanet:0x');
    await expectEverywhere('alphanet:0x', { wrapper: 'WETH' });
  });

  it('overrides, hides and shows a token', async () => {
    await operator(`override ${added} --symbol NEW --pair usdt/usd --sure`);
    await expectEverywhere(added, { symbol: 'NEW', alias: 'Another', decimals: 6 });
    await operator(`hide ${added}`);
    await expectEverywhere(added, null);
    await operator(`show ${added}`);
    await expectEverywhere(added, { symbol: 'NEW' });
    await eventually(async () => {
      const types = (await published(added)).map(({ type }) => type);
      expect(types.slice(-3)).toEqual(['asset.listed', 'asset.delisted', 'asset.listed']);
    });
  });

  it('resets assets to the built-in lists', async () => {
    await operator('override eur --alias Buck');
    await operator(`hide ${USDC}`);
    await expectEverywhere(USDC, null);
    await expectEverywhere('eur', { alias: 'Buck', decimals: 2 });
    await operator('reset eur');
    await operator(`reset ${USDC}`);
    await expectEverywhere(USDC, { symbol: 'USDC' });
    await eventually(async () => {
      const [replica] = replicas as [RunningService];
      const { body } = await request(replica, '/assets?assets[]=eur');
      expect(body['eur']).not.toHaveProperty('alias');
    });
    await operator(`reset ${added}`);
    await expectEverywhere(added, null);
  });

  it.each([
    ['add alphanet:0x1111111111111111111111111111111111111111', /no token at 0x1111/],
    ['add nowhere:0x1111111111111111111111111111111111111111', /no chain nowhere/],
    [`add ${USDC} --decimals 6`, /listed already/],
  ])('refuses %s', async (line, message) => {
    await expect(operator(`${line} --image-url ${IMAGE}`)).rejects.toThrow(message);
  });

  it.each([
    ['hide alphanet:0x', /cannot hide the native currency/],
    ['hide usd', /cannot hide the currency/],
    ['hide xyz', /asset not listed/],
    ['override xyz --alias Nothing', /asset not found/],
    [`override ${USDC} --pair doge/usd`, /alphanet has no feed doge\/usd/],
    [`override ${USDC} --pair eth/usd`, /eth\/usd is not the feed of USDC/],
    ['override usd --pair eth/usd', /only tokens/],
    ['show usd', /not hidden/],
    ['reset usd', /has no override/],
  ])('refuses to %s', async (line, message) => {
    const before = await operator('history usd');
    await expect(operator(line)).rejects.toThrow(OperatorError);
    await expect(operator(line)).rejects.toThrow(message);
    expect(await operator('history usd')).toEqual(before);
  });

  it('keeps an audit log and lists assets', async () => {
    const history = await operator(`history ${added}`);
    expect(history.map((line) => line.split('  ').slice(1, 3))).toEqual(
      ['added', 'overridden', 'overridden', 'overridden', 'hidden', 'shown', 'reset'].map(
        (action) => ['operator test', `asset.${action}`],
      ),
    );
    expect(history[3]).toContain('"symbol":"NEW"');
    expect(await operator('list --chain gammanet')).toEqual([
      'gammanet:0x  GAM  18 decimals  listed',
      expect.stringMatching(/^gammanet:0x[0-9a-f]{40} {2}WGAM {2}18 decimals {2}listed$/),
    ]);
    expect(await operator('list --overridden')).toEqual(
      expect.arrayContaining([`${added}  NEW  6 decimals  no longer listed`]),
    );
  });

  it('reports a change that no replica has applied', async () => {
    await Promise.all(replicas.splice(0).map((replica) => replica.shutdown({ graceMs: 0 })));
    const output = await withAssetManagement(env, 'operator test', (management) =>
      runAssetCommand(management, parseAssetCommand(['hide', 'jpy']), 200),
    );
    expect(output).toEqual([expect.stringContaining('no running catalogue has applied it yet')]);
    replicas.push(await startService(service, env));
    await expectEverywhere('jpy', null);
  });
});
