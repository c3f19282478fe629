import { ServiceContext } from '@bascule/process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DatabaseGeolocator } from './database-geolocator.js';
import { openGeolocator } from './open-geolocator.js';

const SAMPLES = 20_000;

let context: ServiceContext;
let geolocator: DatabaseGeolocator;
beforeAll(async () => {
  context = new ServiceContext({ name: 'test', environment: 'test', logLevel: 'silent' });
  const config = { GEOIP_DB: undefined, GEOIP_CHECK_MS: 60_000 };
  geolocator = await openGeolocator(config, { isRequired: true }, context);
  // Fails clearly without the optional package.
  geolocator.onModuleInit();
});
afterAll(() => context.shutdown.run(20_000));

describe('the bundled database', () => {
  it.each([
    ['128.32.136.9', 'USA', 'CA', 'usd'],
    ['128.59.1.1', 'USA', 'NY', 'usd'],
    ['128.83.1.1', 'USA', 'TX', 'usd'],
    ['128.171.1.1', 'USA', 'HI', 'usd'],
    ['138.51.1.1', 'CAN', 'ON', 'cad'],
    ['81.2.69.142', 'GBR', 'ENG', 'gbp'],
    ['::ffff:81.2.69.142', 'GBR', 'ENG', 'gbp'],
    ['2600:1700::1', 'USA', 'MI', 'usd'],
  ])('locates %s in %s, %s', (address, alpha3_country_code, state_code, default_currency) => {
    const location = { alpha3_country_code, state_code, default_currency };
    expect(geolocator.locate(address)).toEqual(location);
  });

  it('has a country for nearly every address, and a state in the USA', () => {
    const located = { all: 0, us: 0, usWithState: 0, ca: 0, caWithState: 0 };
    let seed = 42;
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      // Networks in use for long: 4/8 to 99/8.
      const address = [4 + (seed % 96), (seed >> 8) & 255, (seed >> 16) & 255, (seed >> 24) & 255];
      const location = geolocator.locate(address.join('.'));
      if (location === null) continue;
      located.all += 1;
      const { alpha3_country_code: country, state_code: state } = location;
      if (country === 'USA') located.us += 1;
      if (country === 'USA' && /^[A-Z]{2}$/.test(state)) located.usWithState += 1;
      if (country === 'CAN') located.ca += 1;
      if (country === 'CAN' && /^[A-Z]{2}$/.test(state)) located.caWithState += 1;
    }
    expect(located.all / SAMPLES).toBeGreaterThan(0.9);
    expect(located.us).toBeGreaterThan(SAMPLES / 10);
    expect(located.usWithState / located.us).toBeGreaterThan(0.99);
    expect(located.caWithState / located.ca).toBeGreaterThan(0.99);
  });
});
