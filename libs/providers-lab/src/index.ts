export { walletDeliveries, type Deliver } from './deliveries.js';
export { startMoonPay, type MoonPayLab } from './moonpay/moonpay-lab.js';
