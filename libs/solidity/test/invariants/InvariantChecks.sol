// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ActionRunner} from "../../contracts/ActionRunner.sol";
import {Outcome} from "../../contracts/interfaces/IFillOracle.sol";
import {OneTimeWallet} from "../../contracts/OneTimeWallet.sol";
import {Call, Declaration, Leg} from "../../contracts/types/Declaration.sol";
import {Order, RefundInstruction} from "../../contracts/types/Order.sol";
import {ServiceAuthorization} from "../../contracts/types/ServiceAuthorization.sol";
import {TestToken} from "../support/Tokens.sol";
import {Submissions} from "./Submissions.sol";

/// @notice Checks that the invariant calls.
abstract contract InvariantChecks is Submissions {
    uint256 private constant FIXED_HOLDERS = 17;
    address private constant ANYONE = address(0xa11);

    /// @notice Checks that the owner alone withdraws the whole wallet and its runner, and takes every refund.
    function recovers(uint256 payment, uint256 chain) external inPlay returns (string memory) {
        chains.switchTo(chain % 2 == 0 ? HERE : THERE);
        uint256 index = _payment(payment);
        address wallet = payments[index].wallet;
        // A blocked account waits until it is unblocked, and loses nothing.
        _setBlocked(wallet, false);
        _setBlocked(home, false);
        Declaration memory declaration = declared(index);
        factoryOf(declaration).deploy(payments[index].hash);
        uint256 count = tokenCount(block.chainid);
        Call[] memory actions = sending(NATIVE, home, wallet.balance);
        for (uint256 i = 0; i < count; i++) {
            uint256 held = tokenOf(i, block.chainid).balanceOf(wallet);
            if (held != 0) actions = joined(actions, sending(address(tokenOf(i, block.chainid)), home, held));
        }
        address runner = runners.deploy(wallet);
        actions = joined(actions, one(runner, _emptying(runner), 0));
        ServiceAuthorization memory authorization = authorizing(declaration, actions);
        authorization.nonce = nonceOf(block.timestamp + 30 minutes, type(uint128).max);
        bytes memory signature = signed(authorization, payments[index].ownerKey);
        vm.prank(ANYONE);
        try OneTimeWallet(payable(wallet)).withdraw(declaration, authorization, signature) {}
        catch {
            return "the owner's withdrawal is refused";
        }
        if (wallet.balance != 0) return "native currency stays in the wallet";
        if (runner.balance != 0) return "native currency stays in the runner";
        for (uint256 i = 0; i < count; i++) {
            if (tokenOf(i, block.chainid).balanceOf(wallet) != 0) return "tokens stay in the wallet";
            if (tokenOf(i, block.chainid).balanceOf(runner) != 0) return "tokens stay in the runner";
        }
        return _recoversOrders(wallet, payments[index].ownerKey);
    }

    /// @dev Call with which a runner sends everything home.
    function _emptying(address runner) private view returns (bytes memory) {
        Leg memory leg;
        Call[] memory calls;
        for (uint256 i = 0; i < tokenCount(block.chainid); i++) {
            uint256 held = tokenOf(i, block.chainid).balanceOf(runner);
            if (held != 0) calls = joined(calls, sending(address(tokenOf(i, block.chainid)), home, held));
        }
        return abi.encodeCall(ActionRunner.convert, (leg, home, calls));
    }

    /// @dev Refunds orders as soon as they are refundable: attested as unfilled, at once.
    function _recoversOrders(address wallet, uint256 key) private returns (string memory) {
        for (uint256 i = 0; i < orders.length; i++) {
            Order memory order = _order(i);
            if (order.wallet != wallet) continue;
            chains.switchTo(order.originChainId);
            if (uint8(escrow.statusOf(orderIds[i])) != 1) continue;
            if (block.timestamp > order.fillDeadline) _tell(order);
            (Outcome outcome,) = oracle.outcomeOf(orderIds[i]);
            if (outcome == Outcome.Filled) continue;
            if (outcome == Outcome.Unknown) vm.warp(order.expires);
            RefundInstruction memory instruction = RefundInstruction(home, home, 0, block.timestamp + 1);
            uint256 before = TestToken(order.inputToken).balanceOf(home);
            bytes memory signature = refundSignature(order, instruction, key);
            try escrow.refund(order, instruction, signature) {}
            catch {
                return "the owner's refund is refused";
            }
            if (TestToken(order.inputToken).balanceOf(home) != before + order.inputAmount) {
                return "the refund is not whole";
            }
        }
        return "";
    }

    /// @notice First sum that is not conserved; empty while all are.
    function sums() external inPlay returns (string memory) {
        address[] memory holders = _holders();
        // A loss is permanent, so each check takes only some of the tokens.
        for (uint256 i = digest % 3; i < tokenCount(block.chainid); i += 3) {
            TestToken token = tokenOf(i, block.chainid);
            if (_heldBy(holders, token) != token.totalSupply()) return "tokens lost or made";
        }
        if (_nativeOf(holders) != _endowed) return "native currency lost or made";
        uint256 open = 0;
        for (uint256 i = 0; i < orders.length; i++) {
            if (uint8(escrow.statusOf(orderIds[i])) != 1) continue;
            open += _order(i).inputAmount;
        }
        TestToken held = block.chainid == HERE ? output : remote;
        if (held.balanceOf(address(escrow)) < open) return "the escrow has less than is in open orders";
        if (escrow.outstanding(address(held)) != open) return "the escrow counts other sums than are in open orders";
        return "";
    }

    /// @dev Every account that may hold funds on either chain.
    function _holders() private view returns (address[] memory holders) {
        holders = new address[](FIXED_HOLDERS + 2 * payments.length);
        address[FIXED_HOLDERS] memory fixed_ = [
            destinations[0],
            destinations[1],
            home,
            owner,
            feeReceiver,
            relayer,
            solver,
            stranger.account,
            DEAD,
            address(thief),
            address(vault),
            address(market),
            address(intruder),
            address(converter),
            address(escrow),
            address(cctp),
            address(messenger)
        ];
        for (uint256 i = 0; i < holders.length; i++) {
            if (i < FIXED_HOLDERS) holders[i] = fixed_[i];
            else if (i < FIXED_HOLDERS + payments.length) holders[i] = payments[i - FIXED_HOLDERS].wallet;
            else holders[i] = runners.predict(payments[i - FIXED_HOLDERS - payments.length].wallet);
        }
    }

    function _heldBy(address[] memory holders, TestToken token) private view returns (uint256 sum) {
        for (uint256 i = 0; i < holders.length; i++) {
            sum += token.balanceOf(holders[i]);
        }
    }

    /// @dev Native currency on both chains. Accounts that are not swapped have one balance for both.
    function _nativeOf(address[] memory holders) private view returns (uint256 sum) {
        for (uint256 i = 0; i < holders.length; i++) {
            sum += holders[i].balance;
        }
        sum += chains.nativeElsewhere();
    }
}
