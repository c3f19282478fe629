import type { Offer } from './offer.js';

/** The European Economic Area, the United Kingdom and Switzerland. */
const EUROPE =
  'AUT BEL BGR CHE CYP CZE DEU DNK ESP EST FIN FRA GBR GRC HRV HUN IRL ISL ITA LIE LTU LUX LVA MLT NLD NOR POL PRT ROU SVK SVN SWE'.split(
    ' ',
  );

/** From any bank; only for large amounts worth its fixed fee. */
const SWIFT = {
  id: 'swift',
  min: '100',
  max: '25000',
  feePercent: '0.3',
  feeFixed: '15',
  deliverySeconds: 10,
};

/** Slower and cheaper: bank transfers, and cards for larger amounts. */
export const thriftramp: Offer = {
  name: 'thriftramp',
  title: 'Thriftramp',
  spreadPercent: '0.1',
  quoteSeconds: 900,
  checkoutMinutes: 60,
  places: { only: [...EUROPE, 'CAN', 'USA'], except: ['CAN-QC'] },
  tokens: ['USDC'],
  fiats: [
    {
      code: 'USD',
      usd: '1',
      methods: [
        {
          id: 'ach',
          min: '25',
          max: '10000',
          feePercent: '0.8',
          feeFixed: '0.25',
          deliverySeconds: 8,
          places: { only: ['USA'] },
        },
        {
          id: 'credit_card',
          min: '20',
          max: '5000',
          feePercent: '2.4',
          feeFixed: '0.3',
          deliverySeconds: 6,
        },
        SWIFT,
      ],
    },
    {
      code: 'EUR',
      usd: '1.16',
      methods: [
        {
          id: 'sepa',
          min: '25',
          max: '10000',
          feePercent: '0.6',
          feeFixed: '0.25',
          deliverySeconds: 8,
          places: { only: EUROPE },
        },
        {
          id: 'credit_card',
          min: '20',
          max: '5000',
          feePercent: '2.4',
          feeFixed: '0.25',
          deliverySeconds: 6,
        },
        SWIFT,
      ],
    },
  ],
};
