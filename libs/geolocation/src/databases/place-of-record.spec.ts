import { describe, expect, it } from '@jest/globals';
import { placeOfRecord } from './place-of-record.js';

describe('placeOfRecord', () => {
  it('reads the flat shape, with or without a subdivision', () => {
    const flat = { country_code: 'US', state1: 'California', state2: '', city: 'Berkeley' };
    expect(placeOfRecord(flat)).toEqual({ country: 'US', subdivisionName: 'California' });
    expect(placeOfRecord({ country_code: 'VA', state1: '' })).toEqual({ country: 'VA' });
    expect(placeOfRecord({ country_code: 'VA' })).toEqual({ country: 'VA' });
  });

  it('reads the shape of MaxMind, whose first subdivision is the largest', () => {
    const record = {
      country: { iso_code: 'GB', names: { en: 'United Kingdom' } },
      registered_country: { iso_code: 'US' },
      subdivisions: [{ iso_code: 'ENG', names: { en: 'England' } }, { iso_code: 'WBK' }],
    };
    expect(placeOfRecord(record)).toEqual({ country: 'GB', subdivisionCode: 'ENG' });
    const named = { country: { iso_code: 'GB' }, subdivisions: [{ names: { en: 'England' } }] };
    expect(placeOfRecord(named)).toEqual({ country: 'GB', subdivisionName: 'England' });
    expect(placeOfRecord({ country: { iso_code: 'GB' } })).toEqual({ country: 'GB' });
  });

  it('ignores the country of registration', () => {
    expect(placeOfRecord({ registered_country: { iso_code: 'US' } })).toBeNull();
  });

  it.each([[null], [undefined], ['US'], [[]], [{}], [{ country_code: 7 }], [{ country: 'US' }]])(
    'reads nothing from %p',
    (record) => {
      expect(placeOfRecord(record)).toBeNull();
    },
  );
});
