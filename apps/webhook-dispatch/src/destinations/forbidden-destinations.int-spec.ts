import { createServer, type LookupFunction, type Server, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { freePort } from '@bascule/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Agent, request } from 'undici';
import { DestinationPolicyAdapter, ForbiddenAddressError } from './destination-policy.adapter.js';
import { FORBIDDEN_HOSTS, FORBIDDEN_URLS } from './testing/forbidden-destinations.fixture.js';
import { guardedConnector } from './guarded-connector.client.js';
import { hostResolver } from './host-resolver.client.js';
import { type DnsRecord, type NameServer, startNameServer } from './testing/name-server.fixture.js';
import { isPublicAddress } from './public-address.adapter.js';
import { urlProblem } from './webhook-url.js';

const PUBLIC = '93.184.215.14';
const a = (value: string): DnsRecord => ({ type: 'A', value });
const aaaa = (value: string): DnsRecord => ({ type: 'AAAA', value });
const cname = (value: string): DnsRecord => ({ type: 'CNAME', value });

/** Address of this machine in its own, usually private, network, on which a wildcard listener is reachable too. */
const ownAddress =
  Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.2';

const ownPrivateAddresses = [...new Set([ownAddress, '127.0.0.2'])].filter(
  (address) => !isPublicAddress(address),
);

const privateNames: Record<string, (n: number) => DnsRecord[]> = {
  'a.private.example': () => [a('127.0.0.1')],
  'aaaa.private.example': () => [aaaa('::1')],
  'mapped.private.example': () => [aaaa('::ffff:7f00:1')],
  'nat64.private.example': () => [aaaa('64:ff9b::7f00:1')],
  'zero.private.example': () => [a('0.0.0.0')],
  'metadata.private.example': () => [a('169.254.169.254')],
  'mixed.private.example': () => [a(PUBLIC), a('127.0.0.1')],
  'mixed6.private.example': () => [a(PUBLIC), aaaa('::1')],
  'cname.private.example': () => [cname('a.private.example'), a('127.0.0.1')],
  'chain.private.example': () => [cname('one.example'), cname('two.example'), a(ownAddress)],
  'xn--bcher-kva.private.example': () => [a('127.0.0.1')],
  'rebound.private.example': (n) => [a(n === 0 ? PUBLIC : '127.0.0.1')],
  'public.example': () => [a(PUBLIC), aaaa('2606:2800:21f:cb07:6820:80da:af6b:8b2c')],
};

describe('forbidden destinations', () => {
  let listener: Server;
  let port: number;
  let accepted = 0;
  const sockets: Socket[] = [];
  let names: NameServer;
  let policy: DestinationPolicyAdapter;
  const agents: Agent[] = [];

  beforeAll(async () => {
    // Listens on all addresses of both families and counts every connection.
    listener = createServer((socket) => {
      accepted += 1;
      sockets.push(socket);
      socket.on('error', () => undefined).end('HTTP/1.1 204 No Content\r\n\r\n');
    });
    port = await freePort();
    await new Promise<void>((resolve) => listener.listen({ port, host: '::' }, resolve));
    names = await startNameServer((name, n) => privateNames[name]?.(n) ?? []);
    policy = strictPolicy();
  });
  beforeEach(() => {
    accepted = 0;
  });
  afterAll(async () => {
    await Promise.all(agents.map((agent) => agent.destroy()));
    await names.stop();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => listener.close(resolve));
  });

  const strictPolicy = (): DestinationPolicyAdapter =>
    new DestinationPolicyAdapter(
      false,
      hostResolver({ timeoutMs: 2_000, servers: [names.address] }),
    );

  /** Calls a host with the sockets of deliveries, on the port of the listener, without URL checks. */
  const call = (host: string, by: DestinationPolicyAdapter): Promise<unknown> => {
    const agent = new Agent({ connect: guardedConnector(by, { timeoutMs: 5_000 }) });
    agents.push(agent);
    return request(`http://${host}:${port}/`, { dispatcher: agent, method: 'POST', body: '{}' });
  };

  it('are more than eighty', () => {
    expect(new Set([...FORBIDDEN_HOSTS, ...FORBIDDEN_URLS]).size).toBeGreaterThan(120);
  });

  it('would be reachable without the check', async () => {
    const loopback = new DestinationPolicyAdapter(true);
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) await call(host, loopback);
    expect(accepted).toBe(3);
    for (const host of ['127.1', ownAddress, '[::ffff:127.0.0.1]', '0']) {
      await request(`http://${host}:${port}/`, { method: 'POST', body: '{}' });
    }
    expect(accepted).toBe(7);
  });

  it.each(FORBIDDEN_HOSTS)('get no socket: %s', async (host) => {
    if (host.startsWith('rebound')) await policy.addressesOf(host);
    await expect(call(host, policy)).rejects.toThrow(ForbiddenAddressError);
    expect(accepted).toBe(0);
  });

  it.each(ownPrivateAddresses)('include this machine’s own address %s', async (address) => {
    await expect(call(address, policy)).rejects.toThrow(ForbiddenAddressError);
    expect(accepted).toBe(0);
  });

  it('are rejected by the peer of the socket when the lookup was circumvented', async () => {
    class Circumvented extends DestinationPolicyAdapter {
      override readonly lookup: LookupFunction = (_, { all }, callback) => {
        if (all) callback(null, [{ address: '127.0.0.1', family: 4 }]);
        else callback(null, '127.0.0.1', 4);
      };
    }
    await expect(call('hooks.example.com', new Circumvented(false))).rejects.toThrow(
      ForbiddenAddressError,
    );
  });

  it.each(FORBIDDEN_URLS)('are rejected as the url of a webhook: %j', (url) => {
    expect(urlProblem(url, policy)).toEqual(expect.any(String));
  });

  it.each(['https://127.0.0.1#@hooks.example.com/', 'https://127.0.0.1?@hooks.example.com/'])(
    'are checked by host before the connection: %s',
    (url) => {
      expect(() => {
        policy.checkHost(new URL(url).hostname);
      }).toThrow(ForbiddenAddressError);
    },
  );

  it('are looked up at every connection, not only at the registration', async () => {
    const fresh = await startNameServer((_, n) => [a(n === 0 ? PUBLIC : '127.0.0.1')]);
    const rebinding = new DestinationPolicyAdapter(
      false,
      hostResolver({ timeoutMs: 2_000, servers: [fresh.address] }),
    );
    expect(await rebinding.addressesOf('rebinding.example')).toEqual([
      { address: PUBLIC, family: 4 },
    ]);
    await expect(call('rebinding.example', rebinding)).rejects.toThrow(ForbiddenAddressError);
    expect(fresh.asked.get('rebinding.example')).toBe(2);
    expect(accepted).toBe(0);
    await fresh.stop();
  });

  it('are not reached through a proxy of the environment', async () => {
    const proxy = `http://127.0.0.1:${port}`;
    const variables = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy'];
    for (const name of variables) process.env[name] = proxy;
    process.env['NODE_USE_ENV_PROXY'] = '1';
    try {
      await expect(call('10.0.0.1', policy)).rejects.toThrow(ForbiddenAddressError);
      await expect(call('a.private.example', policy)).rejects.toThrow(ForbiddenAddressError);
    } finally {
      for (const name of [...variables, 'NODE_USE_ENV_PROXY'])
        Reflect.deleteProperty(process.env, name);
    }
    expect(accepted).toBe(0);
  });

  it('do not affect public names', async () => {
    expect(await policy.addressesOf('public.example')).toEqual([
      { address: PUBLIC, family: 4 },
      { address: '2606:2800:21f:cb07:6820:80da:af6b:8b2c', family: 6 },
    ]);
    await expect(policy.addressesOf('nobody.example')).rejects.toThrow('has no address');
  });
});
