import { runMigrations } from '@bascule/service-host';
import { paymentService } from './index.js';

await runMigrations(paymentService);
