import type { Offer } from './offer.js';

/** Fast and expensive: cards and digital wallets, for smaller amounts. */
export const swiftramp: Offer = {
  name: 'swiftramp',
  title: 'Swiftramp',
  spreadPercent: '0.5',
  quoteSeconds: 900,
  checkoutMinutes: 60,
  places: { except: ['CAN-QC'] },
  tokens: ['USDC'],
  fiats: [
    {
      code: 'USD',
      usd: '1',
      methods: [
        card('credit_card', '3.9', '0.49'),
        card('debit_card', '3.5', '0.49'),
        card('apple_pay', '3.9', '0.29'),
      ],
    },
    {
      code: 'EUR',
      usd: '1.16',
      methods: [
        card('credit_card', '3.9', '0.45'),
        card('debit_card', '3.5', '0.45'),
        card('apple_pay', '3.9', '0.25'),
      ],
    },
  ],
};

function card(id: string, feePercent: string, feeFixed: string) {
  return { id, min: '5', max: '2500', feePercent, feeFixed, deliverySeconds: 2 };
}
