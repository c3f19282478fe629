// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";
import {Handler} from "./Handler.sol";

/// @notice Claims that hold after any sequence of actions of all parties on two chains.
contract InvariantsTest is Test {
    Handler private handler;

    function setUp() public {
        handler = new Handler();
        targetContract(address(handler));
        targetSelector(FuzzSelector(address(handler), actions()));
    }

    /// @dev One function for all claims: with the same seed, one function per claim would replay the same calls.
    function invariant_everyClaimHolds() public {
        uint256 digest = handler.digest();
        _valueGoesOnlyWhereDeclaredOrSigned();
        _nothingHasEffectTwice();
        _sumsAreConserved();
        _ownerRecoversEverything(digest);
    }

    /// @dev Value leaves a wallet to the declared destination (at least the minimum, not counting payouts of other
    /// payments), to the declared fee receivers (at most the cap), to the declared adapter for this wallet, or to an
    /// address that the owner signed.
    function _valueGoesOnlyWhereDeclaredOrSigned() private view {
        assertEq(handler.astray(), "");
    }

    /// @dev No authorization, order, fill or refund takes effect twice, on any chain, or without being signed.
    function _nothingHasEffectTwice() private view {
        assertEq(handler.repeated(), "");
    }

    /// @dev Sums are conserved for every token and for native currency.
    function _sumsAreConserved() private {
        assertEq(handler.sums(), "");
    }

    /// @dev The owner alone recovers everything in the wallet and its runner or refundable in the escrow. Last, since it moves
    /// tokens; forge reverts its effects before the next call.
    function _ownerRecoversEverything(uint256 digest) private {
        assertEq(handler.recovers(digest >> 128, digest), "");
    }

    /// @dev Every kind of effect occurs, so the invariant is not vacuously true.
    function test_everythingHappens() public {
        string[17] memory effects = [
            "paid",
            "paid in native currency",
            "converted",
            "custom calls",
            "custom calls after a bridge",
            "taken from a runner",
            "bridged",
            "bridged by CCTP",
            "bridged home",
            "opened by a stranger",
            "withdrawn",
            "filled",
            "released",
            "refunded",
            "refunded to the wallet",
            "nested",
            "nested in custom calls"
        ];
        uint256[17] memory counts;
        bytes4[] memory selectors = actions();
        uint256 seed = 1;
        for (uint256 run = 0; run < 12; run++) {
            handler = new Handler();
            // Custom calls with a nested payout: by chance only one in a thousand.
            handler.executesWithinAnother(2, 3, 1, 1, seed);
            for (uint256 i = 0; i < 150; i++) {
                seed = uint256(keccak256(abi.encode(seed)));
                bytes memory arguments = abi.encode(seed >> 8, seed >> 48, seed >> 88, seed >> 128, seed >> 168);
                (bool success,) = address(handler).call(abi.encodePacked(selectors[seed % selectors.length], arguments));
                assertTrue(success);
            }
            assertEq(handler.astray(), "");
            assertEq(handler.repeated(), "");
            for (uint256 i = 0; i < effects.length; i++) {
                counts[i] += handler.effects(effects[i]);
            }
        }
        for (uint256 i = 0; i < effects.length; i++) {
            assertGt(counts[i], 0, effects[i]);
            emit log_named_uint(effects[i], counts[i]);
        }
    }

    function actions() private pure returns (bytes4[] memory selectors) {
        selectors = new bytes4[](24);
        selectors[0] = Handler.makesPayment.selector;
        selectors[1] = Handler.deposits.selector;
        selectors[2] = Handler.ownerWithdraws.selector;
        selectors[3] = Handler.ownerTakesRefund.selector;
        selectors[4] = Handler.executes.selector;
        selectors[5] = Handler.executesWithinAnother.selector;
        selectors[6] = Handler.executesAgain.selector;
        selectors[7] = Handler.strangerSubmitsAgain.selector;
        selectors[8] = Handler.strangerForges.selector;
        selectors[9] = Handler.strangerTakes.selector;
        selectors[10] = Handler.solverFills.selector;
        selectors[11] = Handler.attestersTell.selector;
        selectors[12] = Handler.hostileAttesterLies.selector;
        selectors[13] = Handler.anyoneReleases.selector;
        selectors[14] = Handler.strangerRefundsAgain.selector;
        selectors[15] = Handler.timePasses.selector;
        selectors[16] = Handler.issuerBlocks.selector;
        selectors[17] = Handler.circleMints.selector;
        selectors[18] = Handler.strangerOpensOrder.selector;
        // Twice as often as the rest, since the others depend on them.
        selectors[19] = Handler.deposits.selector;
        selectors[20] = Handler.executes.selector;
        selectors[21] = Handler.anyoneRefundsToWallet.selector;
        selectors[22] = Handler.ownerEmptiesRunner.selector;
        selectors[23] = Handler.strangerFundsRunner.selector;
    }
}
