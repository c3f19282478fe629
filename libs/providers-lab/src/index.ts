export { walletDeliveries, type Deliver } from './deliveries.js';
export { startCoinbase } from './coinbase/coinbase-lab.js';
export { startMoonPay } from './moonpay/moonpay-lab.js';
export type { PartyLab } from './server/party.js';
export { startStripe, type StripeLab } from './stripe/stripe-lab.js';
