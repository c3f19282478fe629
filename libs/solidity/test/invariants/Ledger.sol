// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Vm} from "forge-std/Vm.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Outcome} from "../../contracts/interfaces/IFillOracle.sol";
import {IIntentEscrow} from "../../contracts/interfaces/IIntentEscrow.sol";
import {IOneTimeWallet} from "../../contracts/interfaces/IOneTimeWallet.sol";
import {Declaration, Leg} from "../../contracts/types/Declaration.sol";
import {Order} from "../../contracts/types/Order.sol";
import {Intruder} from "./Intruder.sol";
import {Payments} from "./Payments.sol";

/// @notice Compares each transaction's logs and balances with its permitted effects, and records the first violation.
/// Relies on Transfer logs, since all tokens are the test's own.
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

    /// @dev Burn on one chain, to be minted on the other.
    struct Message {
        address wallet;
        uint256 chainId;
        uint256 amount;
        uint256 maxFee;
    }

    /// @notice First transfer to a forbidden recipient; empty while none.
    string public astray;
    /// @notice First action that took effect twice or was forged; empty while none.
    string public repeated;

    /// @notice Number of occurrences of each effect.
    mapping(string effect => uint256) public effects;

    mapping(uint256 nonce => uint256) internal authorizedBy;
    Authorized[] internal authorized;
    mapping(bytes32 refund => bool) internal refundAuthorized;
    bytes[] internal orders;
    bytes32[] internal orderIds;
    /// @dev Counted from one.
    mapping(bytes32 orderId => uint256) internal orderNumber;
    Message[] internal messages;
    mapping(bytes32 orderId => uint256) private _closed;
    mapping(bytes32 orderId => uint256) private _filled;
    mapping(address wallet => mapping(uint256 leg => bool)) private _executed;
    mapping(address wallet => mapping(uint256 chainId => bool)) private _executedOn;
    /// @dev Transaction in which an owner ended the executor's rights.
    mapping(address wallet => mapping(uint256 chainId => uint256)) private _ended;

    /// @dev Books of the current transaction: tokens by wallet, token and recipient; native currency has no logs.
    mapping(bytes32 route => uint256) private _permitted;
    mapping(bytes32 route => uint256) private _gone;
    bytes32[] private _touched;
    mapping(bytes32 => uint256) private _nativePermitted;
    mapping(bytes32 => uint256) private _nativeDue;
    mapping(bytes32 => uint256) private _needed;
    mapping(bytes32 => uint256) private _gained;
    bytes32[] private _promised;
    address private _payer;
    address private _payee;
    uint256 private _transaction;
    uint256 private _legs;

    /// @notice Runs a transaction on the current chain. Reverted calls leave logs, so only the intruder, which reports
    /// it, may swallow a failure after effects.
    function transact(address from, address to, bytes memory data) internal returns (bool success) {
        _transaction++;
        delete _touched;
        delete _promised;
        delete _legs;
        uint256[] memory before = _natives();
        vm.record();
        vm.recordLogs();
        vm.prank(from);
        (success,) = to.call(data);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        chains.remember();
        if (!success) return false;
        (uint256 undoneFrom, uint256 undoneTo) = _undone(logs);
        for (uint256 i = 0; i < logs.length; i++) {
            if (i < undoneFrom || i > undoneTo) _follow(logs[i]);
        }
        for (uint256 i = 0; i < logs.length; i++) {
            if (i < undoneFrom || i > undoneTo) _permit(logs[i]);
        }
        _balance(before);
        if (_legs > 1) effects["nested"]++;
    }

    function strays(bool hasStrayed, string memory what) internal {
        if (hasStrayed && bytes(astray).length == 0) astray = what;
    }

    function repeats(bool hasRepeated, string memory what) internal {
        if (hasRepeated && bytes(repeated).length == 0) repeated = what;
    }

    /// @dev Range between the intruder's two logs; at most one pair exists.
    function _undone(Vm.Log[] memory logs) private view returns (uint256 from, uint256 to) {
        for (uint256 i = 0; i < logs.length; i++) {
            if (logs[i].emitter != address(intruder)) continue;
            if (logs[i].topics[0] == Intruder.Struck.selector) from = i;
            else return (from, i);
        }
        return (1, 0);
    }

    // Transfers, from the tokens' logs

    function _follow(Vm.Log memory log) private {
        if (log.topics[0] != IERC20.Transfer.selector) return;
        address from = address(uint160(uint256(log.topics[1])));
        address to = address(uint160(uint256(log.topics[2])));
        uint256 amount = abi.decode(log.data, (uint256));
        _gained[_key(to, log.emitter)] += amount;
        if (runnerFor[from] != 0) _followRunner(runnerFor[from] - 1, log.emitter, to);
        if (paymentOf[from] == 0) return;
        // The token's own fee follows its delivery.
        if (log.emitter == address(taxed) && to == DEAD && from == _payer) to = _payee;
        (_payer, _payee) = (from, to);
        bytes32 route = _route(from, log.emitter, to);
        _gone[route] += amount;
        _touched.push(route);
    }

    /// @dev A runner's tokens go where its calls say and to the destination.
    function _followRunner(uint256 payment, address token, address to) private {
        bool isFee = token == address(taxed) && to == DEAD;
        bool isDeclared = to == address(vault) || to == declared(payment).destination;
        // Owners sign calls of their runners to this account alone.
        strays(!isFee && !isDeclared && to != home, "a runner's money to somebody else");
    }

    // Permitted effects, from the events

    function _permit(Vm.Log memory log) private {
        uint256 payment = paymentOf[log.emitter];
        if (payment != 0 && log.topics[0] == IOneTimeWallet.LegExecuted.selector) {
            _onLeg(payment - 1, uint256(log.topics[1]), log.data);
        } else if (payment != 0 && log.topics[0] == IOneTimeWallet.Withdrawn.selector) {
            _onWithdrawal(log);
        } else if (log.emitter == address(escrow)) {
            _onEscrow(log);
        } else if (log.emitter == address(messenger)) {
            _onBurn(log);
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
        // A leg during which the owner's withdrawal is submitted began before it.
        uint256 ended = _ended[wallet][block.chainid];
        strays(ended != 0 && ended != _transaction, "a leg after the executor was ended");
        strays(block.timestamp >= declaration.expiry, "a leg after the expiry");
        _executed[wallet][index] = _executedOn[wallet][block.chainid] = true;
        _legs++;

        uint256 left = amount;
        for (uint256 i = 0; i < fees.length; i++) {
            strays(fees[i] > leg.fees[i].cap, "a fee above its cap");
            left += fees[i];
            _pays(wallet, leg.inputToken, leg.fees[i].receiver, fees[i]);
        }
        strays(left > leg.maxInput, "more than the maximum");
        strays(output_ < leg.minOutput, "less than the minimum");
        if (leg.bridgeAdapter != address(0)) _onBridge(wallet, leg, amount, output_);
        else _onPayout(wallet, leg, declaration.destination, amount, output_);
    }

    function _onBridge(address wallet, Leg memory leg, uint256 amount, uint256 output_) private {
        // A token that is only bridged moves directly, or through the executor's calls.
        bool isConverted = leg.inputToken != leg.outputToken || _went(wallet, leg.inputToken, address(converter)) != 0;
        if (isConverted) _pays(wallet, leg.inputToken, address(converter), amount);
        _pays(wallet, leg.outputToken, leg.bridgeAdapter, output_);
        if (leg.chainId == THERE) effects["bridged home"]++;
        effects[leg.bridgeAdapter == address(cctp) ? "bridged by CCTP" : "bridged"]++;
    }

    function _onPayout(address wallet, Leg memory leg, address destination_, uint256 amount, uint256 output_) private {
        // Native currency has no log of its route: its output must arrive either way.
        bool isConverted = leg.inputToken == NATIVE || leg.inputToken != leg.outputToken || isCustom(leg)
            || _went(wallet, leg.inputToken, address(converter)) != 0;
        _pays(wallet, leg.inputToken, isConverted ? address(converter) : destination_, amount);
        if (isCustom(leg)) {
            _onCustomCalls(wallet, leg);
        } else if (leg.outputToken == NATIVE) {
            _nativeDue[_key(destination_, NATIVE)] += output_;
            effects["paid in native currency"]++;
        } else {
            _promise(destination_, leg.outputToken, leg.minOutput);
            effects[leg.inputToken == leg.outputToken ? "paid" : "converted"]++;
        }
    }

    /// @dev The calls deposit the minimum, and the runner keeps nothing of the output.
    function _onCustomCalls(address wallet, Leg memory leg) private {
        address runner = runners.predict(wallet);
        if (leg.outputToken == NATIVE) {
            strays(runner.balance != 0, "native currency left in a runner");
        } else {
            uint256 deposited = leg.outputToken == address(taxed) ? leg.minOutput - leg.minOutput / 100 : leg.minOutput;
            _promise(address(vault), leg.outputToken, deposited);
            strays(IERC20(leg.outputToken).balanceOf(runner) != 0, "output left in a runner");
        }
        bool isBridged = declared(paymentOf[wallet] - 1).legs.length > 1;
        effects[isBridged ? "custom calls after a bridge" : "custom calls"]++;
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
        if (authorization.blame) _ended[wallet][block.chainid] = _transaction;
        _pays(wallet, authorization.token, authorization.recipient, authorization.amount);
        effects["withdrawn"]++;
    }

    function _onEscrow(Vm.Log memory log) private {
        bytes32 id = log.topics[1];
        if (log.topics[0] == IIntentEscrow.Open.selector) return _onOpen(id, log.data);
        if (log.topics[0] == IIntentEscrow.Filled.selector) return _onFill(id);
        bool isRefund = log.topics[0] == IIntentEscrow.Refunded.selector;
        (Outcome outcome, address filler) = oracle.outcomeOf(id);
        repeats(_closed[id]++ != 0, "an order's money twice");
        repeats(isRefund && outcome == Outcome.Filled, "a refund of what is known to be filled");
        repeats(!isRefund && outcome != Outcome.Filled, "a release without a word");
        repeats(!isRefund && _filled[id] == 0, "a release without a fill");
        address to = address(uint160(uint256(log.topics[2])));
        repeats(!isRefund && to != filler, "a release to somebody else");
        if (isRefund) _onRefund(id, outcome, to, log.data);
        else effects["released"]++;
    }

    function _onOpen(bytes32 id, bytes memory data) private {
        Order memory order = abi.decode(data, (Order));
        strays(idOf(order) != id, "an order under another id");
        strays(order.recipient != order.wallet, "an order for somebody else");
        orders.push(data);
        orderIds.push(id);
        orderNumber[id] = orders.length;
        uint256 payment = paymentOf[order.wallet];
        if (payment != 0) _checkOrder(order, declared(payment - 1));
        else effects["opened by a stranger"]++;
    }

    function _checkOrder(Order memory order, Declaration memory declaration) private {
        Leg memory leg = declaration.legs[0];
        Leg memory next = declaration.legs[1];
        bool isAsDeclared = order.owner == declaration.owner && leg.bridgeAdapter == address(escrow)
            && order.inputToken == leg.outputToken && order.minimum == leg.minBridged
            && order.destinationChainId == next.chainId && order.outputToken == next.inputToken
            && order.originChainId == leg.chainId;
        strays(!isAsDeclared, "an order that was not declared");
        strays(_went(order.wallet, order.inputToken, address(escrow)) != order.inputAmount, "an order over another sum");
    }

    function _onFill(bytes32 id) private {
        repeats(_filled[id]++ != 0, "a fill twice");
        effects["filled"]++;
        if (orderNumber[id] == 0) return;
        Order memory order = abi.decode(orders[orderNumber[id] - 1], (Order));
        repeats(order.destinationChainId != block.chainid, "a fill on another chain");
        repeats(block.timestamp > order.fillDeadline, "a fill after the deadline");
        _promise(order.recipient, order.outputToken, order.minimum);
    }

    function _onRefund(bytes32 id, Outcome outcome, address recipient, bytes memory data) private {
        (uint256 amount, address feeReceiver_, uint256 fee_) = abi.decode(data, (uint256, address, uint256));
        Order memory order = abi.decode(orders[orderNumber[id] - 1], (Order));
        bool isSigned = refundAuthorized[refundOf(id, recipient, amount, feeReceiver_, fee_)];
        // Without a signature: everything, to the order's wallet alone.
        bool isToWallet = recipient == order.wallet && amount == order.inputAmount && fee_ == 0;
        repeats(!isSigned && !isToWallet, "a refund that nobody signed");
        if (outcome == Outcome.Unfilled) {
            repeats(block.timestamp <= order.fillDeadline, "a refund before the fill deadline");
        } else {
            repeats(block.timestamp < order.expires, "a refund before a fill would be known");
        }
        effects[isSigned ? "refunded" : "refunded to the wallet"]++;
    }

    function refundOf(bytes32 id, address recipient, uint256 amount, address feeReceiver_, uint256 fee_)
        internal
        pure
        returns (bytes32)
    {
        return keccak256(abi.encode(id, recipient, amount, feeReceiver_, fee_));
    }

    function _onBurn(Vm.Log memory log) private {
        (uint256 amount, bytes32 recipient, uint32 domain,,, uint256 maxFee,) =
            abi.decode(log.data, (uint256, bytes32, uint32, bytes32, bytes32, uint256, bytes));
        address wallet = address(uint160(uint256(recipient)));
        uint256 payment = paymentOf[wallet];
        strays(payment == 0, "a burn for somebody else");
        if (payment == 0) return;
        Leg[] memory legs = declared(payment - 1).legs;
        bool isAsDeclared = legs[0].bridgeAdapter == address(cctp) && domain == legs[1].chainId
            && amount - maxFee == legs[0].minBridged && address(uint160(uint256(log.topics[1]))) == legs[0].outputToken;
        strays(!isAsDeclared, "a burn that was not declared");
        strays(_went(wallet, legs[0].outputToken, address(cctp)) != amount, "a burn of another sum");
        messages.push(Message(wallet, domain, amount, maxFee));
    }

    // Result

    function _balance(uint256[] memory before) private {
        for (uint256 i = 0; i < _touched.length; i++) {
            strays(_gone[_touched[i]] != _permitted[_touched[i]], "other amounts than declared or signed");
        }
        for (uint256 i = 0; i < _promised.length; i++) {
            strays(_gained[_promised[i]] < _needed[_promised[i]], "less than all of them together promised");
        }
        uint256[] memory afterwards = _natives();
        for (uint256 i = 0; i < before.length; i++) {
            bytes32 key = _key(_native(i), NATIVE);
            bool isLess = afterwards[i] + _nativePermitted[key] < before[i] + _nativeDue[key];
            strays(isLess, "other native currency than declared or signed");
        }
        // The first is the fee receiver.
        strays(afterwards[0] != before[0] + _nativeDue[_key(feeReceiver, NATIVE)], "a fee that was not declared");
    }

    /// @dev Native balances of all possible recipients and of the wallets.
    function _natives() private view returns (uint256[] memory balances) {
        balances = new uint256[](4 + payments.length);
        for (uint256 i = 0; i < balances.length; i++) {
            balances[i] = _native(i).balance;
        }
    }

    function _native(uint256 index) private view returns (address) {
        if (index >= 4) return payments[index - 4].wallet;
        return [feeReceiver, home, destinations[0], destinations[1]][index];
    }

    /// @dev The executor may spend native currency sent to the converter: only the output is due.
    function _pays(address wallet, address token, address to, uint256 amount) private {
        if (token == NATIVE) {
            _nativePermitted[_key(wallet, NATIVE)] += amount;
            if (to != address(converter)) _nativeDue[_key(to, NATIVE)] += amount;
        } else {
            bytes32 route = _route(wallet, token, to);
            _permitted[route] += amount;
            _touched.push(route);
        }
    }

    /// @dev Two payments with the same minimum must each deliver it.
    function _promise(address to, address token, uint256 minimum) private {
        bytes32 key = _key(to, token);
        _needed[key] += minimum;
        _promised.push(key);
    }

    function _went(address from, address token, address to) private view returns (uint256) {
        return _gone[_route(from, token, to)];
    }

    function _key(address account, address token) private view returns (bytes32) {
        return keccak256(abi.encode(_transaction, account, token));
    }

    function _route(address from, address token, address to) private view returns (bytes32) {
        return keccak256(abi.encode(_transaction, from, token, to));
    }
}
