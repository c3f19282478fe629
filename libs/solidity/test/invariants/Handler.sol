// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Outcome} from "../../contracts/interfaces/IFillOracle.sol";
import {OneTimeWallet} from "../../contracts/OneTimeWallet.sol";
import {IOneTimeWallet} from "../../contracts/interfaces/IOneTimeWallet.sol";
import {Call, Declaration, Leg} from "../../contracts/types/Declaration.sol";
import {Order, RefundInstruction} from "../../contracts/types/Order.sol";
import {ServiceAuthorization} from "../../contracts/types/ServiceAuthorization.sol";
import {Thief} from "../support/Actors.sol";
import {TestToken} from "../support/Tokens.sol";
import {Ledger} from "./Ledger.sol";
import {HostileCalls} from "./HostileCalls.sol";

/// @notice What everybody does: users, a hostile executor, a hostile solver, one hostile attester of three, strangers who
/// submit again whatever was ever submitted, and time. Nothing here reverts: who is refused has had no effect.
contract Handler is Ledger, HostileCalls {
    bytes[] private _executions;
    bytes[] private _texts;
    uint256 private _now;
    /// @notice How often anybody did anything.
    uint256 public turns;

    /// @dev Neither the chain's id nor the time outlasts a call by itself.
    modifier inPlay() {
        turns++;
        vm.warp(_now);
        chains.switchTo(chains.current());
        _;
    }

    constructor() {
        setUpPayments();
        setUpHostility();
        _now = block.timestamp;
        // A bridge, a conversion, custom calls and a payout.
        uint8[4] memory shapes = [3, 17, 22, 24];
        for (uint256 i = 0; i < shapes.length; i++) {
            create(shapes[i], 1e6, 1e5);
        }
    }

    // Users

    function makesPayment(uint256 shape, uint256 minimum, uint256 cap) external inPlay {
        if (payments.length >= MAX_PAYMENTS) return;
        chains.switchTo(HERE);
        create(shape % 1000, _bound(minimum, 1, 1e9), _bound(cap, 0, 1e9));
    }

    function deposits(uint256 payment, uint256 chain, uint256 token, uint256 amount) external inPlay {
        _switch(chain);
        address payable wallet = payments[_payment(payment)].wallet;
        amount = _bound(amount, 1, 1e12);
        if (token % 8 == 0) vm.deal(wallet, wallet.balance + amount);
        else if (token % 4 == 0) tokenOf(token / 4, block.chainid).mint(wallet, amount);
        else _deposit(_payment(payment), amount);
    }

    function ownerWithdraws(uint256 payment, uint256 chain, uint256 token, uint256 amount, uint256 wish)
        external
        inPlay
    {
        _switch(chain);
        uint256 index = _payment(payment);
        address wallet = payments[index].wallet;
        address currency = token % 5 == 4 ? NATIVE : address(tokenOf(token, block.chainid));
        uint256 held = currency == NATIVE ? wallet.balance : tokenOf(token, block.chainid).balanceOf(wallet);
        amount = _bound(amount, 0, held);
        address recipient = [owner, destinations[1], wallet][wish % 3];
        bytes memory withdrawal = _authorize(index, currency, recipient, amount, wish % 2 == 0);
        if (wish % 5 == 0) return;
        _submit(index, withdrawal);
    }

    function ownerTakesRefund(uint256 order, uint256 fee, uint256 way) external inPlay {
        if (orders.length == 0) return;
        chains.switchTo(HERE);
        Order memory taken = _order(order);
        if (way % 2 == 0) {
            RefundInstruction memory instruction =
                RefundInstruction(owner, relayer, _bound(fee, 0, taken.inputAmount), block.timestamp + 30 minutes);
            uint256 key = way % 8 == 0 ? attesterKeys[0] : ownerKey;
            bytes memory signature = refundSignature(taken, instruction, key);
            bytes memory data = abi.encodeCall(escrow.refund, (taken, instruction, signature));
            _texts.push(data);
            transact(relayer, address(escrow), data);
        } else {
            uint256 payment = paymentOf[taken.wallet];
            if (payment == 0) return;
            bytes memory data = abi.encodeCall(escrow.refundByWallet, (taken, taken.wallet));
            _submit(payment - 1, _authorizeCall(payment - 1, address(escrow), data));
        }
    }

    // The executor's stolen key

    function executes(uint256 payment, uint256 chain, uint256 amount, uint256 fee_, uint256 route) external inPlay {
        _switch(chain);
        uint256 index = _payment(payment);
        bytes memory execution = _execution(index, amount, fee_, route);
        _executions.push(execution);
        transact(operator, address(executor), execution);
    }

    function executesWithinAnother(uint256 outer, uint256 inner, uint256 chain, uint256 amount, uint256 route)
        external
        inPlay
    {
        _switch(chain);
        _deposit(_payment(outer), 2e9);
        _deposit(_payment(inner), 2e9);
        nesting.arm(_execution(_payment(inner), amount, 0, route));
        // Where the route does not hand over control, tokens and custom calls may.
        bytes memory execution = _execution(_payment(outer), amount, amount, route % 3 == 0 ? route | NESTED : route);
        _executions.push(execution);
        uint256 strikes = nesting.strikes(address(vault));
        transact(operator, address(executor), execution);
        effects["nested in custom calls"] += nesting.strikes(address(vault)) - strikes;
        nesting.arm("");
    }

    function executesAgain(uint256 execution, uint256 chain) external inPlay {
        if (_executions.length == 0) return;
        _switch(chain);
        transact(operator, address(executor), _executions[execution % _executions.length]);
    }

    // Strangers

    function strangerSubmitsAgain(uint256 authorization, uint256 chain, uint256 other) external inPlay {
        if (authorized.length == 0) return;
        _switch(chain);
        Authorized storage entry = authorized[authorization % authorized.length];
        uint256 target = other % 4 == 0 ? _payment(other) : entry.payment;
        _submit(target, entry.data);
    }

    function strangerForges(uint256 payment, uint256 chain, uint256 amount) external inPlay {
        _switch(chain);
        uint256 index = _payment(payment);
        Declaration memory declaration = declared(index);
        address token = address(tokenOf(amount, block.chainid));
        ServiceAuthorization memory authorization =
            authorizing(declaration, sending(token, relayer, _bound(amount, 0, 1e12)));
        authorization.nonce = nonceOf(block.timestamp + 1 hours, uint128(amount));
        bytes memory signature = signed(authorization, attesterKeys[amount % 3]);
        _submit(index, abi.encodeCall(OneTimeWallet.withdraw, (declaration, authorization, signature)));
    }

    function strangerTakes(uint256 token, uint256 amount, uint256 from) external inPlay {
        address victim = [address(converter), payments[_payment(from)].wallet, address(escrow)][from % 3];
        bytes memory theft = abi.encodeCall(Thief.take, (tokenOf(token, block.chainid), victim, _bound(amount, 1, 1e9)));
        transact(relayer, address(thief), theft);
    }

    // The bridge

    function solverFills(uint256 order, uint256 chain, uint256 amount, uint256 wish) external inPlay {
        if (orders.length == 0) return;
        if (wish % 8 == 0) _switch(chain);
        else chains.switchTo(THERE);
        Order memory filled = _order(order);
        amount = _bound(amount, wish % 4 == 0 ? 0 : filled.minimum, filled.minimum * 2);
        if (wish % 16 == 1) filled.minimum = 0;
        transact(solver, address(escrow), abi.encodeCall(escrow.fill, (filled, amount, solver)));
    }

    function attestersTell(uint256 order) external inPlay {
        if (orders.length == 0) return;
        chains.switchTo(THERE);
        Order memory told = _order(order);
        address filler = escrow.fillerOf(idOf(told));
        if (filler == address(0) && block.timestamp <= told.fillDeadline) return;
        chains.switchTo(HERE);
        Outcome outcome = filler == address(0) ? Outcome.Unfilled : Outcome.Filled;
        bytes[] memory list = signatures(idOf(told), outcome, filler, 2);
        transact(relayer, address(oracle), abi.encodeCall(oracle.attest, (idOf(told), outcome, filler, list)));
    }

    function hostileAttesterLies(uint256 order, uint256 lie, uint256 way) external inPlay {
        if (orders.length == 0) return;
        _switch(way);
        bytes32 id = idOf(_order(order));
        (Outcome outcome, address filler) =
            lie % 2 == 0 ? (Outcome.Filled, address(thief)) : (Outcome.Unfilled, address(0));
        bytes[] memory list = new bytes[](1 + way % 3);
        for (uint256 i = 0; i < list.length; i++) {
            list[i] = attestation(id, outcome, filler, way % 5 == 0 && i > 0 ? ownerKey : attesterKeys[2]);
        }
        bytes memory data = abi.encodeCall(oracle.attest, (id, outcome, filler, list));
        repeats(transact(address(thief), address(oracle), data), "a lie of too few attesters");
    }

    function anyoneReleases(uint256 order, uint256 chain) external inPlay {
        if (orders.length == 0) return;
        if (chain % 4 == 0) chains.switchTo(THERE);
        else chains.switchTo(HERE);
        transact(relayer, address(escrow), abi.encodeCall(escrow.release, (_order(order))));
    }

    function strangerRefundsAgain(uint256 text, uint256 chain) external inPlay {
        if (_texts.length == 0) return;
        _switch(chain);
        transact(address(thief), address(escrow), _texts[text % _texts.length]);
    }

    // Time

    function timePasses(uint256 seconds_) external inPlay {
        _now += _bound(seconds_, 1, seconds_ % 8 == 0 ? 12 hours : 20 minutes);
    }

    // What the invariants look at

    function paymentCount() external view returns (uint256) {
        return payments.length;
    }

    /// @notice Whether the owner alone gets everything out of the wallet and all that is refundable to it.
    function recovers(uint256 payment) external inPlay returns (string memory) {
        uint256 index = _payment(payment);
        address wallet = payments[index].wallet;
        Declaration memory declaration = declared(index);
        factoryOf(declaration).deploy(payments[index].hash);
        uint256 count = tokenCount(block.chainid);
        Call[] memory actions = sending(NATIVE, owner, wallet.balance);
        for (uint256 i = 0; i < count; i++) {
            address token = address(tokenOf(i, block.chainid));
            actions = joined(actions, sending(token, owner, tokenOf(i, block.chainid).balanceOf(wallet)));
        }
        ServiceAuthorization memory authorization = authorizing(declaration, actions);
        authorization.nonce = nonceOf(block.timestamp + 30 minutes, type(uint128).max);
        bytes memory signature = signed(authorization, ownerKey);
        vm.prank(makeAddr("anyone"));
        try OneTimeWallet(payable(wallet)).withdraw(declaration, authorization, signature) {}
        catch {
            return "the owner's withdrawal is refused";
        }
        if (wallet.balance != 0) return "native currency stays in the wallet";
        for (uint256 i = 0; i < count; i++) {
            if (tokenOf(i, block.chainid).balanceOf(wallet) != 0) return "tokens stay in the wallet";
        }
        return _recoversOrders(wallet);
    }

    function _recoversOrders(address wallet) private returns (string memory) {
        chains.switchTo(HERE);
        for (uint256 i = 0; i < orders.length; i++) {
            Order memory order = _order(i);
            (Outcome outcome,) = oracle.outcomeOf(idOf(order));
            bool isOpen = uint8(escrow.statusOf(idOf(order))) == 1;
            if (order.wallet != wallet || !isOpen || outcome == Outcome.Filled) continue;
            vm.warp(block.timestamp > order.expires ? block.timestamp : order.expires);
            RefundInstruction memory instruction = RefundInstruction(owner, owner, 0, block.timestamp + 1);
            uint256 before = output.balanceOf(owner);
            try escrow.refund(order, instruction, refundSignature(order, instruction, ownerKey)) {}
            catch {
                return "the owner's refund is refused";
            }
            if (output.balanceOf(owner) != before + order.inputAmount) return "the refund is not whole";
        }
        return "";
    }

    /// @notice What does not add up, empty while everything does.
    function sums() external inPlay returns (string memory) {
        for (uint256 i = 0; i < tokenCount(block.chainid); i++) {
            if (_held(i, block.chainid) != tokenOf(i, block.chainid).totalSupply()) return "tokens lost or made";
        }
        if (block.chainid == THERE) return "";
        uint256 open = 0;
        for (uint256 i = 0; i < orders.length; i++) {
            Order memory order = _order(i);
            if (uint8(escrow.statusOf(idOf(order))) == 1) open += order.inputAmount;
        }
        if (escrow.outstanding(address(output)) != open) return "other sums in open orders than counted";
        if (output.balanceOf(address(escrow)) != open) return "other sums in the escrow than in open orders";
        if (open > OUTSTANDING_CAP) return "more in open orders than the cap";
        return "";
    }

    function _held(uint256 token, uint256 chainId) private view returns (uint256 sum) {
        for (uint256 i = 0; i < payments.length; i++) {
            sum += tokenOf(token, chainId).balanceOf(payments[i].wallet);
        }
        address[14] memory holders = [
            destinations[0],
            destinations[1],
            owner,
            owners[1],
            feeReceiver,
            relayer,
            solver,
            DEAD,
            address(thief),
            address(vault),
            address(market),
            address(nesting),
            address(converter),
            address(escrow)
        ];
        for (uint256 i = 0; i < holders.length; i++) {
            sum += tokenOf(token, chainId).balanceOf(holders[i]);
        }
    }

    // Helpers

    /// @dev By anyone, who deploys the wallet before it.
    function _submit(uint256 payment, bytes memory withdrawal) private {
        factoryOf(declared(payment)).deploy(payments[payment].hash);
        transact(relayer, payments[payment].wallet, withdrawal);
    }

    function _authorize(uint256 payment, address token, address recipient, uint256 amount, bool blame)
        private
        returns (bytes memory)
    {
        return _sign(payment, sending(token, recipient, amount), token, recipient, amount, blame);
    }

    function _authorizeCall(uint256 payment, address target, bytes memory data) private returns (bytes memory) {
        return _sign(payment, one(target, data, 0), address(1), target, 0, false);
    }

    function _sign(uint256 payment, Call[] memory actions, address token, address recipient, uint256 amount, bool blame)
        private
        returns (bytes memory data)
    {
        Declaration memory declaration = declared(payment);
        ServiceAuthorization memory authorization = authorizing(declaration, actions);
        authorization.nonce = nonceOf(block.timestamp + 30 minutes, uint128(authorized.length + 1));
        authorization.accept_blame = blame;
        bytes memory signature = signed(authorization, ownerKey);
        data = abi.encodeCall(OneTimeWallet.withdraw, (declaration, authorization, signature));
        authorized.push(Authorized(payment, block.chainid, token, recipient, amount, blame, false, data));
        authorizedBy[authorization.nonce] = authorized.length;
    }

    function _execution(uint256 payment, uint256 amount, uint256 fee_, uint256 route)
        private
        view
        returns (bytes memory)
    {
        Declaration memory declaration = declared(payment);
        uint256 index = block.chainid == HERE ? 0 : declaration.legs.length - 1;
        Leg memory leg = declaration.legs[index];
        uint256[] memory fees = _fees(leg, fee_);
        amount = _amount(leg, payments[payment].wallet, amount, fees);
        Call[] memory calls = routeOf(leg, declaration.destination, amount, route);
        bytes memory execution = abi.encodeCall(IOneTimeWallet.execute, (declaration, index, amount, fees, calls));
        return abi.encodeCall(executor.deployAndExecute, (factoryOf(declaration), payments[payment].hash, execution));
    }

    function _fees(Leg memory leg, uint256 seed) private pure returns (uint256[] memory fees) {
        fees = new uint256[](leg.fees.length);
        for (uint256 i = 0; i < fees.length; i++) {
            fees[i] = _bound(seed, 0, leg.fees[i].cap + (seed % 16 == 0 ? 1 : 0));
        }
    }

    /// Mostly all that is there.
    function _amount(Leg memory leg, address wallet, uint256 seed, uint256[] memory fees)
        private
        view
        returns (uint256 amount)
    {
        amount = leg.inputToken == NATIVE ? wallet.balance : IERC20(leg.inputToken).balanceOf(wallet);
        for (uint256 i = 0; i < fees.length; i++) {
            amount -= fees[i] < amount ? fees[i] : amount;
        }
        if (seed % 8 == 0) amount = _bound(seed, 0, amount);
    }

    function _payment(uint256 seed) private view returns (uint256) {
        return seed % payments.length;
    }

    function _order(uint256 seed) private view returns (Order memory) {
        return abi.decode(orders[seed % orders.length], (Order));
    }

    function _switch(uint256 seed) private {
        chains.switchTo(seed % 3 == 0 ? THERE : HERE);
    }

    /// @dev Of the token that the payment waits for on this chain.
    function _deposit(uint256 payment, uint256 amount) private {
        address payable wallet = payments[payment].wallet;
        Leg[] memory legs = declared(payment).legs;
        Leg memory leg = legs[block.chainid == HERE ? 0 : legs.length - 1];
        if (leg.inputToken == NATIVE) vm.deal(wallet, wallet.balance + amount);
        else if (leg.chainId == block.chainid) TestToken(leg.inputToken).mint(wallet, amount);
        else remote.mint(wallet, amount);
    }
}
