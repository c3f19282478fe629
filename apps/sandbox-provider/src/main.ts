import { runService } from '@bascule/http';
import { sandboxProviderService } from './index.js';

await runService(sandboxProviderService);
