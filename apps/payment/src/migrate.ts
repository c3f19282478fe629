import { runMigrations } from '@bascule/http';
import { paymentService } from './index.js';

await runMigrations(paymentService);
