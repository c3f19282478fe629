import { readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ConfigurationError, ServiceContext } from '@bascule/process';
import { eventually } from '@bascule/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mmdb, type Mmdb } from './testing/mmdb.fixture.js';
import { WatchedDatabases } from './databases/watched-databases.js';
import type { Geolocator } from './geolocator.js';
import { openGeolocator } from './open-geolocator.js';

const FLAT = { country_code: 'US', state1: 'California', city: 'Berkeley' };
const LONDON = {
  country: { iso_code: 'GB', names: { en: 'United Kingdom' } },
  subdivisions: [{ iso_code: 'ENG', names: { en: 'England' } }],
};
const CALIFORNIA = { alpha3_country_code: 'USA', state_code: 'CA', default_currency: 'usd' };
const ENGLAND = { alpha3_country_code: 'GBR', state_code: 'ENG', default_currency: 'gbp' };

let directory: string;
let file: string;
let contexts: ServiceContext[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'geolocation-'));
  file = join(directory, 'places.mmdb');
  contexts = [];
});
afterEach(async () => {
  await Promise.all(contexts.map(({ shutdown }) => shutdown.run(20_000)));
  await rm(directory, { recursive: true, force: true });
});

interface Opened {
  geolocator: Geolocator;
  context: ServiceContext;
  logged: string[];
}

async function open(files = [file], isRequired = false): Promise<Opened> {
  const context = new ServiceContext({ name: 'test', environment: 'test', logLevel: 'silent' });
  contexts.push(context);
  const logged: string[] = [];
  for (const level of ['info', 'warn', 'error'] as const) {
    context.logger[level] = (...line: unknown[]) =>
      void logged.push(`${level}: ${String(line.at(-1))}`);
  }
  const config = { GEOIP_DB: files, GEOIP_CHECK_MS: 20 };
  const geolocator = await openGeolocator(config, { isRequired }, context);
  geolocator.onModuleInit();
  return { geolocator, context, logged };
}

/** Replaces a file as an updater does: written under another name, then renamed. */
async function replaceBy(database: Mmdb | Buffer): Promise<void> {
  const fresh = join(directory, 'fresh');
  await writeFile(fresh, Buffer.isBuffer(database) ? database : mmdb(database));
  await rename(fresh, file);
}

const metrics = ({ context }: Opened) => context.metrics.metrics();

async function linesOf(opened: Opened, metric: string): Promise<string[]> {
  const lines = (await metrics(opened)).split('\n');
  return lines.filter((line) => new RegExp(`^${metric}[ {]`).test(line));
}

describe('a geolocator', () => {
  it('reads both shapes of records, by IPv4, IPv6 and IPv4 written as IPv6', async () => {
    const records = { '8.8.0.0/16': FLAT, '81.2.69.0/24': LONDON, '2600:1700::/32': LONDON };
    await replaceBy({ records });
    const { geolocator } = await open();
    expect(geolocator.locate('8.8.8.8')).toEqual(CALIFORNIA);
    expect(geolocator.locate('::ffff:8.8.8.8')).toEqual(CALIFORNIA);
    expect(geolocator.locate('81.2.69.142')).toEqual(ENGLAND);
    expect(geolocator.locate('2600:1700::1')).toEqual(ENGLAND);
  });

  it('does not locate private, reserved, malformed and unknown addresses', async () => {
    const records = { '0.0.0.0/1': FLAT, 'fc00::/8': FLAT, '2001:db8::/32': FLAT };
    await replaceBy({ records });
    const { geolocator } = await open();
    expect(geolocator.locate('8.8.8.8')).toEqual(CALIFORNIA);
    for (const address of ['10.0.0.1', '127.0.0.1', '::1', 'fc00::1', '2001:db8::1', 'x', '']) {
      expect(geolocator.locate(address)).toBeNull();
    }
    expect(geolocator.locate('200.0.0.1')).toBeNull();
  });

  it('returns no state when the database has none or an unknown name', async () => {
    const records = {
      '1.0.0.0/8': { country_code: 'US' },
      '2.0.0.0/8': { country_code: 'US', state1: 'Nowhere' },
      '3.0.0.0/8': { country_code: 'EU' },
      '4.0.0.0/8': { country: { iso_code: 'DE' } },
    };
    await replaceBy({ records });
    const { geolocator } = await open();
    const nowhere = { ...CALIFORNIA, state_code: '' };
    expect(geolocator.locate('1.1.1.1')).toEqual(nowhere);
    expect(geolocator.locate('2.1.1.1')).toEqual(nowhere);
    expect(geolocator.locate('3.1.1.1')).toBeNull();
    expect(geolocator.locate('4.1.1.1')).toEqual({
      alpha3_country_code: 'DEU',
      state_code: '',
      default_currency: 'eur',
    });
  });

  it('searches several files, but IPv4-only files not for IPv6', async () => {
    const second = join(directory, 'second.mmdb');
    await replaceBy({ ipVersion: 4, records: { '0.0.0.0/1': FLAT, '128.0.0.0/2': FLAT } });
    await writeFile(second, mmdb({ records: { '2000::/3': LONDON, '200.0.0.0/8': LONDON } }));
    const { geolocator } = await open([file, second]);
    expect(geolocator.locate('8.8.8.8')).toEqual(CALIFORNIA);
    expect(geolocator.locate('200.0.0.1')).toEqual(ENGLAND);
    expect(geolocator.locate('2600:1700::1')).toEqual(ENGLAND);
  });
});

describe('a new version of the file', () => {
  it('is loaded without a restart for all services, and logged', async () => {
    const [first, second] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-02-01T00:00:00Z')];
    await replaceBy({ builtAt: first, records: { '8.8.0.0/16': FLAT } });
    const [one, other] = [await open(), await open()];
    expect(one.geolocator.locate('8.8.8.8')).toEqual(CALIFORNIA);
    expect(await metrics(one)).toContain(`timestamp_seconds{file="${file}"} ${+first / 1000}`);
    await replaceBy({ builtAt: second, records: { '8.8.0.0/16': LONDON } });
    await eventually(() => {
      expect(one.geolocator.locate('8.8.8.8')).toEqual(ENGLAND);
    });
    expect(other.geolocator.locate('8.8.8.8')).toEqual(ENGLAND);
    for (const opened of [one, other]) {
      expect(await metrics(opened)).toContain(
        `timestamp_seconds{file="${file}"} ${+second / 1000}`,
      );
      expect(opened.logged).toContain('info: geolocation database loaded');
    }
  });

  const good = mmdb({ records: { '8.8.0.0/16': LONDON } });
  it.each([
    ['empty', Buffer.alloc(0)],
    ['not a database', Buffer.from('<html>not found</html>')],
    ['cut off', good.subarray(0, good.length - 100)],
    ['of another kind', mmdb({ type: 'GeoLite2-ASN', records: { '8.8.0.0/16': LONDON } })],
    ['damaged', mmdb({ records: { '0.0.0.0/1': 'x'.repeat(40) } }).fill(0xff, 0, 400)],
  ])('is skipped and logged when %s, and the previous one stays', async (_, broken) => {
    await replaceBy({ records: { '8.8.0.0/16': FLAT } });
    const opened = await open();
    await replaceBy(broken);
    await eventually(async () => {
      expect(await metrics(opened)).toContain(`failures_total{file="${file}"} 1`);
    });
    expect(opened.geolocator.locate('8.8.8.8')).toEqual(CALIFORNIA);
    expect(opened.logged).toContain('error: geolocation database unusable');
    await replaceBy(good);
    await eventually(() => {
      expect(opened.geolocator.locate('8.8.8.8')).toEqual(ENGLAND);
    });
    // The malformed one was tried only once.
    expect(await metrics(opened)).toContain(`failures_total{file="${file}"} 1`);
  });

  it('can appear after the start and disappear', async () => {
    const opened = await open();
    expect(opened.geolocator.locate('8.8.8.8')).toBeNull();
    expect(opened.logged).toEqual(['error: geolocation database unusable']);
    await replaceBy({ records: { '8.8.0.0/16': FLAT } });
    await eventually(() => {
      expect(opened.geolocator.locate('8.8.8.8')).toEqual(CALIFORNIA);
    });
    await rm(file);
    await eventually(async () => {
      expect(await metrics(opened)).toContain(`failures_total{file="${file}"} 2`);
    });
    expect(opened.geolocator.locate('8.8.8.8')).toEqual(CALIFORNIA);
  });

  it('is detected when copied over the old one', async () => {
    await replaceBy({ records: { '8.8.0.0/16': FLAT } });
    const opened = await open();
    const fresh = join(directory, 'fresh');
    await writeFile(fresh, good);
    await copyFile(fresh, file);
    await utimes(file, new Date(), new Date(Date.now() + 5_000));
    await eventually(() => {
      expect(opened.geolocator.locate('8.8.8.8')).toEqual(ENGLAND);
    });
  });

  it('is not watched after the last service has stopped', async () => {
    await replaceBy({ records: { '8.8.0.0/16': FLAT } });
    const [one, other] = [await open(), await open()];
    await one.context.shutdown.run(20_000);
    await replaceBy(good);
    await eventually(() => {
      expect(other.geolocator.locate('8.8.8.8')).toEqual(ENGLAND);
    });
    await other.context.shutdown.run(20_000);
    const again = await open();
    expect(again.geolocator.locate('8.8.8.8')).toEqual(ENGLAND);
    expect(again.logged).toEqual(['info: geolocation database loaded']);
  });

  it('is retried while unreadable, and logged once', async () => {
    await mkdir(file);
    const databases = new WatchedDatabases([file]);
    const told: string[] = [];
    databases.onChange(({ problem }) => void told.push(problem?.message ?? 'read'));
    const look = async (times: number): Promise<string[]> => {
      for (let each = 0; each < times; each += 1) await databases.check();
      return told.splice(0);
    };
    expect(await look(3)).toEqual([expect.stringContaining('EISDIR')]);
    expect(databases.state()).toMatchObject([{ builtAt: undefined, isRefused: true, failures: 1 }]);
    await rm(file, { recursive: true });
    expect(await look(3)).toEqual([expect.stringContaining('ENOENT')]);
    await writeFile(file, good);
    expect(await look(3)).toEqual(['read']);
    expect(databases.state()).toMatchObject([{ isRefused: false, failures: 2 }]);
    await rm(file);
    expect(await look(3)).toEqual([expect.stringContaining('ENOENT')]);
    expect(databases.state()).toMatchObject([{ builtAt: expect.any(Date), failures: 3 }]);
  });
});

describe('with location rules', () => {
  it('refuses to start without a readable database', async () => {
    const missing = open([file], true);
    await expect(missing).rejects.toThrow(ConfigurationError);
    await expect(missing).rejects.toThrow(/GEOIP_DB.*none/);
    await replaceBy(Buffer.from('<html>not found</html>'));
    await expect(open([file], true)).rejects.toThrow(ConfigurationError);
  });

  it('starts with one of several databases, which can break later', async () => {
    await replaceBy({ records: { '8.8.0.0/16': FLAT } });
    const opened = await open([join(directory, 'missing.mmdb'), file], true);
    const usable = () => linesOf(opened, 'geolocation_databases_(in_use|refused)');
    expect(await usable()).toEqual([
      'geolocation_databases_in_use 1',
      'geolocation_databases_refused 1',
    ]);
    await replaceBy(Buffer.alloc(0));
    await eventually(async () => {
      expect(await usable()).toEqual([
        'geolocation_databases_in_use 1',
        'geolocation_databases_refused 2',
      ]);
    });
    expect(opened.geolocator.locate('8.8.8.8')).toEqual(CALIFORNIA);
  });

  it('starts without a database when set to none, and raises no alert', async () => {
    const opened = await open(['none'], true);
    expect(opened.geolocator.locate('8.8.8.8')).toBeNull();
    expect(opened.logged).toEqual(['warn: no geolocation database: all addresses are unknown']);
    expect(await linesOf(opened, 'geolocation_databases_in_use')).toEqual([]);
  });
});

describe('metrics', () => {
  it('distinguish unknown addresses from those that are not public', async () => {
    await replaceBy({ records: { '8.8.0.0/16': FLAT, '9.0.0.0/8': { country_code: 'EU' } } });
    const opened = await open();
    const asked = ['8.8.8.8', '8.8.4.4', '8.8.0.1', '1.1.1.1', '9.9.9.9', '10.0.0.1'];
    const before = await linesOf(opened, 'geolocation_lookups_total');
    expect(before).toHaveLength(3);
    expect(before.every((line) => line.endsWith(' 0'))).toBe(true);
    for (const address of asked) opened.geolocator.locate(address);
    expect(await linesOf(opened, 'geolocation_lookups_total')).toEqual([
      'geolocation_lookups_total{outcome="located"} 3',
      'geolocation_lookups_total{outcome="unknown"} 2',
      'geolocation_lookups_total{outcome="not_public"} 1',
    ]);
  });

  it('have alerts on series that exist without a database', async () => {
    const rules = readFileSync(resolve('libs/geolocation/alerts.yaml'), 'utf8');
    const names = [...rules.matchAll(/expr: .*?(geolocation_\w+)/g)].map(([, name = '']) => name);
    expect(names).toHaveLength(rules.match(/- alert:/g)?.length ?? 0);
    expect(names).toContain('geolocation_databases_in_use');
    const opened = await open();
    for (const name of names) expect(await linesOf(opened, name)).not.toEqual([]);
    expect(await linesOf(opened, 'geolocation_databases_in_use')).toEqual([
      'geolocation_databases_in_use 0',
    ]);
  });
});
