// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Vm} from "forge-std/Vm.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Outcome} from "../../contracts/interfaces/IFillOracle.sol";
import {IIntentEscrow} from "../../contracts/interfaces/IIntentEscrow.sol";
import {IOneTimeWallet} from "../../contracts/interfaces/IOneTimeWallet.sol";
import {Declaration, Leg} from "../../contracts/types/Declaration.sol";
import {Order} from "../../contracts/types/Order.sol";
import {Payments} from "./Payments.sol";

/// @notice Holds each transaction's logs and balances against what it may do, and writes down the first thing that it may
/// not. It believes the tokens' Transfer logs, which are the test's own tokens.
abstract contract Ledger is Payments {
    struct Authorized {
        uint256 payment;
        uint256 chainId;
        address token;
        address recipient;
        uint256 amount;
        bool blame;
        bool used;
        bytes data;
    }

    /// @notice The first that went where it may not, empty while nothing did.
    string public astray;
    /// @notice The first that had effect twice or was forged, empty while nothing did.
    string public repeated;

    /// @notice How often what has happened.
    mapping(string effect => uint256) public effects;

    mapping(uint256 nonce => uint256) internal authorizedBy;
    Authorized[] internal authorized;
    bytes[] internal orders;
    mapping(bytes32 orderId => uint256) private _closed;
    mapping(bytes32 orderId => uint256) private _filled;
    mapping(address wallet => mapping(uint256 leg => bool)) private _executed;
    mapping(address wallet => mapping(uint256 chainId => bool)) private _executedOn;
    mapping(address wallet => mapping(uint256 chainId => bool)) private _ended;

    /// @dev Of the transaction at hand.
    mapping(bytes32 => uint256) private _allowed;
    mapping(bytes32 => uint256) private _gone;
    mapping(bytes32 => uint256) private _needed;
    mapping(bytes32 => uint256) private _before;
    bytes32[] private _touched;
    uint256 private _transaction;
    uint256 private _legs;

    /// @notice A transaction on the current chain. What is reverted has logs all the same, so nothing in it may swallow a
    /// failure that had effects before.
    function transact(address from, address to, bytes memory data) internal returns (bool success) {
        _transaction++;
        delete _touched;
        delete _legs;
        _remember();
        vm.record();
        vm.recordLogs();
        vm.prank(from);
        (success,) = to.call(data);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        chains.remember();
        if (!success) return false;
        for (uint256 i = 0; i < logs.length; i++) {
            _allow(logs[i]);
        }
        for (uint256 i = 0; i < logs.length; i++) {
            _follow(logs[i]);
        }
        _balance();
        if (_legs > 1) effects["nested"]++;
    }

    function strays(bool hasStrayed, string memory what) internal {
        if (hasStrayed && bytes(astray).length == 0) astray = what;
    }

    function repeats(bool hasRepeated, string memory what) internal {
        if (hasRepeated && bytes(repeated).length == 0) repeated = what;
    }

    // What the events say may happen

    function _allow(Vm.Log memory log) private {
        uint256 payment = paymentOf[log.emitter];
        if (payment != 0 && log.topics[0] == IOneTimeWallet.LegExecuted.selector) {
            _onLeg(payment - 1, uint256(log.topics[1]), log.data);
        } else if (payment != 0 && log.topics[0] == IOneTimeWallet.Withdrawn.selector) {
            _onWithdrawal(log);
        } else if (log.emitter == address(escrow)) {
            _onEscrow(log);
        }
    }

    function _onLeg(uint256 payment, uint256 index, bytes memory data) private {
        (uint256 amount, uint256[] memory fees, uint256 output_) = abi.decode(data, (uint256, uint256[], uint256));
        address wallet = payments[payment].wallet;
        Declaration memory declaration = declared(payment);
        Leg memory leg = declaration.legs[index];
        repeats(leg.chainId != block.chainid, "a leg on another chain");
        repeats(_executed[wallet][index], "a leg twice");
        repeats(_executedOn[wallet][block.chainid], "two legs on one chain");
        strays(_ended[wallet][block.chainid], "a leg after the executor was ended");
        strays(block.timestamp >= declaration.expiry, "a leg after the expiry");
        _executed[wallet][index] = _executedOn[wallet][block.chainid] = true;
        _legs++;

        uint256 left = amount;
        for (uint256 i = 0; i < fees.length; i++) {
            strays(fees[i] > leg.fees[i].cap, "a fee above its cap");
            left += fees[i];
        }
        strays(left > leg.maxInput, "more than the maximum");
        strays(output_ < leg.minOutput, "less than the minimum");
        _permit(wallet, leg.inputToken, left);
        if (leg.bridgeAdapter != address(0)) {
            _permit(wallet, leg.outputToken, output_);
            effects["bridged"]++;
        } else if (isCustom(leg)) {
            effects["custom calls"]++;
        } else {
            _needed[_key(declaration.destination, leg.outputToken)] += leg.minOutput;
            effects[leg.inputToken == leg.outputToken ? "paid" : "converted"]++;
        }
    }

    function _onWithdrawal(Vm.Log memory log) private {
        uint256 entry = authorizedBy[uint256(log.topics[1])];
        repeats(entry == 0, "a withdrawal that nobody signed");
        if (entry == 0) return;
        Authorized storage authorization = authorized[entry - 1];
        address wallet = payments[authorization.payment].wallet;
        repeats(authorization.used, "an authorisation twice");
        repeats(authorization.chainId != block.chainid, "an authorisation on another chain");
        repeats(wallet != log.emitter, "an authorisation of another wallet");
        authorization.used = true;
        if (authorization.blame) _ended[wallet][block.chainid] = true;
        _permit(wallet, authorization.token, authorization.amount);
        _allowed[_route(wallet, authorization.token, authorization.recipient)] = 1;
        effects["withdrawn"]++;
    }

    function _onEscrow(Vm.Log memory log) private {
        bytes32 id = log.topics[1];
        if (log.topics[0] == IIntentEscrow.Open.selector) {
            Order memory order = abi.decode(log.data, (Order));
            strays(idOf(order) != id, "an order under another id");
            orders.push(log.data);
            uint256 payment = paymentOf[order.wallet];
            if (payment != 0) _checkOrder(order, declared(payment - 1));
        } else if (log.topics[0] == IIntentEscrow.Filled.selector) {
            repeats(_filled[id]++ != 0, "a fill twice");
            effects["filled"]++;
        } else {
            bool isRefund = log.topics[0] == IIntentEscrow.Refunded.selector;
            (Outcome outcome, address filler) = oracle.outcomeOf(id);
            repeats(_closed[id]++ != 0, "an order's money twice");
            repeats(isRefund && outcome == Outcome.Filled, "a refund of what is known to be filled");
            repeats(!isRefund && outcome != Outcome.Filled, "a release without a word");
            repeats(!isRefund && _filled[id] == 0, "a release without a fill");
            repeats(!isRefund && address(uint160(uint256(log.topics[2]))) != filler, "a release to somebody else");
            effects[isRefund ? "refunded" : "released"]++;
        }
    }

    function _checkOrder(Order memory order, Declaration memory declaration) private {
        Leg memory leg = declaration.legs[0];
        Leg memory next = declaration.legs[1];
        bool isAsDeclared = order.owner == declaration.owner && order.recipient == order.wallet
            && order.inputToken == leg.outputToken && order.minimum == leg.minBridged
            && order.destinationChainId == next.chainId && order.outputToken == next.inputToken
            && order.originChainId == leg.chainId;
        strays(!isAsDeclared, "an order that was not declared");
    }

    // What the tokens say has happened

    function _follow(Vm.Log memory log) private {
        if (log.topics[0] != IERC20.Transfer.selector) return;
        address from = address(uint160(uint256(log.topics[1])));
        address to = address(uint160(uint256(log.topics[2])));
        uint256 payment = paymentOf[from];
        if (payment == 0) return;
        bool isDeclared = to == address(converter) || to == address(escrow) || to == feeReceiver
            || (log.emitter == address(taxed) && to == DEAD) || to == declared(payment - 1).destination;
        bool isSigned = _allowed[_route(from, log.emitter, to)] == 1;
        strays(!isDeclared && !isSigned, "money to somebody else");
        bytes32 key = _key(from, log.emitter);
        _gone[key] += abi.decode(log.data, (uint256));
        _touched.push(key);
    }

    function _remember() private {
        for (uint256 i = 0; i < payments.length; i++) {
            _before[_key(payments[i].wallet, NATIVE)] = payments[i].wallet.balance;
        }
        for (uint256 i = 0; i < destinations.length; i++) {
            for (uint256 j = 0; j < tokenCount(block.chainid); j++) {
                address token = address(tokenOf(j, block.chainid));
                _before[_key(destinations[i], token)] = IERC20(token).balanceOf(destinations[i]);
            }
            _before[_key(destinations[i], NATIVE)] = destinations[i].balance;
        }
    }

    function _balance() private {
        for (uint256 i = 0; i < _touched.length; i++) {
            strays(_gone[_touched[i]] != _allowed[_touched[i]], "other amounts than declared or signed");
        }
        for (uint256 i = 0; i < payments.length; i++) {
            bytes32 native = _key(payments[i].wallet, NATIVE);
            bool isMore = _before[native] > payments[i].wallet.balance + _allowed[native];
            strays(isMore, "more native currency than declared or signed");
        }
        for (uint256 i = 0; i < destinations.length; i++) {
            for (uint256 j = 0; j < tokenCount(block.chainid); j++) {
                address token = address(tokenOf(j, block.chainid));
                _checkGain(destinations[i], token, IERC20(token).balanceOf(destinations[i]));
            }
            _checkGain(destinations[i], NATIVE, destinations[i].balance);
        }
    }

    /// @dev Amounts of a wallet's token, native currency apart, which has no logs.
    function _permit(address wallet, address token, uint256 amount) private {
        bytes32 key = _key(wallet, token);
        _allowed[key] += amount;
        if (token != NATIVE) _touched.push(key);
    }

    function _checkGain(address destination_, address token, uint256 balance) private {
        bytes32 key = _key(destination_, token);
        strays(balance < _before[key] + _needed[key], "less at the destination than all legs together promised");
    }

    function _key(address account, address token) private view returns (bytes32) {
        return keccak256(abi.encode(_transaction, account, token));
    }

    function _route(address from, address token, address to) private view returns (bytes32) {
        return keccak256(abi.encode(_transaction, from, token, to));
    }
}
