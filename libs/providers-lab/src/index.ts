export { walletDeliveries, type Deliver } from './deliveries.js';
export { startMoonPay, type MoonPayLab } from './moonpay/moonpay-lab.js';
export { startStripe, type StripeLab } from './stripe/stripe-lab.js';
export { startCoinbase, type CoinbaseLab } from './coinbase/coinbase-lab.js';
